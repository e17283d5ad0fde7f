# rule: none
import contextlib

import jax
import jax.numpy as jnp

weights, averaged = jax.new_ref(jnp.ones(2)), jax.new_ref(jnp.zeros(2))


@contextlib.contextmanager
def using(ref, values):
    saved = ref[...]
    ref[...] = values
    try:
        yield ref
    finally:
        ref[...] = saved


with using(weights, averaged[...]) as w, contextlib.ExitStack() as stack:
    stack.callback(print, "leaving")
    print("evaluated with", w[...] + 0.0)
print("trained with", weights)
