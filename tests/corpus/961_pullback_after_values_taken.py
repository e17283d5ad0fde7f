# rule: none
import jax
import jax.numpy as jnp


class Params(dict):
    """A dict of refs that hands out values on attribute access."""

    def __getattr__(self, name):
        return self[name][...]

    def values_only(self):
        return {k: r[...] for k, r in self.items()}


def loss(values, x):
    return jnp.sum((values["w"] @ x + values["b"]) ** 2)


params = Params(w=jax.new_ref(jnp.eye(2)), b=jax.new_ref(jnp.zeros(2)))
value, pull = jax.vjp(loss, params.values_only(), jnp.ones(2))
bars, _ = pull(jnp.ones_like(value))
for k, g in bars.items():
    params[k][...] -= 0.1 * g
print(params.w @ params.b, params.w + 1.0)
