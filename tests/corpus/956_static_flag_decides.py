# rule: none
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("in_place",))
def scale(x, factor, *, in_place):
    if in_place:
        x[...] = x[...] * factor
        return None
    return x * factor


array, ref = jnp.ones(2), jax.new_ref(jnp.ones(2))
array = scale(array, 2.0, in_place=False)
assert scale(ref, 2.0, in_place=True) is None
print(array + ref[...])
