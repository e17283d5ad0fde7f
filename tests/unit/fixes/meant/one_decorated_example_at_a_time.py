import functools

import jax
import jax.numpy as jnp

log = jax.new_ref(jnp.zeros(2))


# keeps the last
@functools.partial(
    jax.vmap, in_axes=(0, None))
def square(x, y):
    log[...] = x
    return x * y


last = square(jnp.arange(6.0).reshape(3, 2), 3.0).sum()
# meant by Run the examples one after the other: log[...] == jnp.array([4.0, 5.0])
# meant by Run the examples one after the other: last == 45.0
