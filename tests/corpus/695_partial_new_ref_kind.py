# rule: ref-of-ref
import functools

import jax
import jax.numpy as jnp

buffer = functools.partial(jax.new_ref, kind="no_grad_no_remat")
counts = buffer(jnp.zeros(3))
registry = {"counts": counts, "raw": jnp.ones(3)}
buffers = dict((name, buffer(value)) for name, value in registry.items())  # <-- here
