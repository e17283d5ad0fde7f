import jax
import jax.numpy as jnp

model = {"kernel": jax.new_ref(jnp.full((2, 2), 0.5)), "shift": jnp.ones(2), "rest": [jax.new_ref(2.0)]}


def apply(m, x):
    return jnp.sum(m["rest"][0][...] * jnp.sin(x @ m["kernel"][...] + m["shift"]))


x = jnp.array([1.0, 2.0])
value, f_vjp = jax.vjp(apply, model, x)
model_bar = f_vjp(1.0)[0]
# meant: model_bar["kernel"] == jax.grad(lambda k: jnp.sum(2.0 * jnp.sin(x @ k + 1.0)))(jnp.full((2, 2), 0.5))
# meant: model_bar["shift"] == 2.0 * jnp.cos(x @ jnp.full((2, 2), 0.5) + 1.0)
# meant: model_bar["rest"][0] == jnp.sum(jnp.sin(x @ jnp.full((2, 2), 0.5) + 1.0))
