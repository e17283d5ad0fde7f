# rule: write-after-freeze (silent)
import jax
import jax.numpy as jnp


def per_epoch_totals(batches):
    acc = jax.new_ref(jnp.float32(0))
    totals = []
    for x in batches:
        acc[...] += x  # <-- here
        totals.append(jax.freeze(acc))
    return totals


totals = per_epoch_totals([1.0, 1.0, 1.0])
assert [float(t) for t in totals] == [3.0, 3.0, 3.0]
