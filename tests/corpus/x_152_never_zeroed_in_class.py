# rule: stale-gradient-ref (silent)
import jax
import jax.numpy as jnp


class SGD:
    def __init__(self, w):
        self.w = jax.new_ref(w)
        self.g = jax.new_ref(jnp.zeros_like(w))

    def step(self, x):
        value, pull = jax.vjp(lambda w: jnp.vdot(w[...], x), self.w)
        pull.with_refs(self.g)(jnp.ones_like(value))  # <-- here
        self.w[...] -= 0.1 * self.g[...]


opt = SGD(jnp.zeros(2))
for _ in range(3):
    opt.step(jnp.ones(2))
assert jnp.allclose(opt.w[...], -0.6)  # -0.3 was meant
