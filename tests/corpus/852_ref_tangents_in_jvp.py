# rule: none
import jax
import jax.numpy as jnp


def spring(position):
    position[...] = 0.9 * position[...]
    return 0.5 * jnp.sum(position[...] ** 2)


position, direction = jax.new_ref(jnp.ones(2)), jax.new_ref(jnp.array([1.0, 0.0]))
energy, slope = jax.jvp(spring, (position,), (direction,))
print(energy, slope, direction)
