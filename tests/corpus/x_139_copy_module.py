# rule: ref-alias-copy (silent)
import copy

import jax
import jax.numpy as jnp

params = jax.new_ref(jnp.ones(2))
best = copy.copy(params)  # <-- here
params[...] = params[...] * 10.0
print("best so far", best)
assert (best[...] == 10.0).all()
