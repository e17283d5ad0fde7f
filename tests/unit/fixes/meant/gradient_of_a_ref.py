import jax
import jax.numpy as jnp

theta = jax.new_ref(jnp.array([1.0, 2.0]))


def loss(theta, x):
    return jnp.sum(theta[...] ** 2 * x)


value, g = jax.value_and_grad(loss)(theta, jnp.array([3.0, 5.0]))
# meant: g == jnp.array([6.0, 20.0])
# meant: value == 23.0
