import jax
import jax.numpy as jnp


def value_and_gradients(energy, position, field):
    value, back = jax.vjp(energy, position, field)
    return value, back(jnp.ones_like(value))


def energy(p, f):
    return jnp.sum(f * p[...] ** 3)


value, result = value_and_gradients(energy, jax.new_ref(jnp.array([1.0, 2.0])), jnp.array([3.0, 4.0]))
# meant: result[0] == jnp.array([9.0, 48.0])
# meant: result[1] == jnp.array([1.0, 8.0])
