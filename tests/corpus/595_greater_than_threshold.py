# rule: ref-as-array
import jax
import jax.numpy as jnp

patience = jax.new_ref(0)
best = jnp.inf
for loss in [1.0, 0.5, 0.6, 0.7]:
    if loss < best:
        best = loss
        patience[...] = 0
    else:
        patience[...] += 1
    if patience > 1:  # <-- here
        break
