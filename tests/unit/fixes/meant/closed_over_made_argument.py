import jax
import jax.numpy as jnp

scratch = jax.new_ref(jnp.zeros(3))


def loss(w, x):
    scratch[...] = jnp.tanh(w * x)  # kept for later
    return jnp.sum(scratch[...] ** 2)


x = jnp.arange(3.0)
g = jax.grad(loss)(jnp.ones(3), x)
# meant: g == jax.grad(lambda w: jnp.sum(jnp.tanh(w * x) ** 2))(jnp.ones(3))
# meant: scratch[...] == jnp.tanh(x)
