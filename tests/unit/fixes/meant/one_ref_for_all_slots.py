import jax
import jax.numpy as jnp

names = ['momentum', 'variance']
slots = dict.fromkeys(names, jax.new_ref(jnp.zeros(2)))


@jax.jit
def update(slots, g):
    slots['momentum'][...] = 0.9 * slots['momentum'][...] + g
    slots['variance'][...] = 0.5 * slots['variance'][...] + g * g


for g in (1.0, 2.0): update(slots, g)
momentum, variance = slots['momentum'][...], slots['variance'][...]
# meant: momentum == jnp.full(2, 2.9)
# meant: variance == jnp.full(2, 4.5)
