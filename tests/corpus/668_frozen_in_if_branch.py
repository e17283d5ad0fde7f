# rule: use-after-freeze
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="keep")
def cumulative(x, keep):
    acc = jax.new_ref(x)
    acc[1:] += x[:-1]
    if keep:
        frozen = jax.ref.freeze(acc)
    else:
        frozen = acc[...]
    return frozen, acc[0]  # <-- cause


cumulative(jnp.arange(3.0), keep=False)
cumulative(jnp.arange(3.0), keep=True)  # <-- here
