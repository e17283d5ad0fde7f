# rule: ref-store-type
import jax
import jax.numpy as jnp

hits = jax.new_ref(jnp.zeros(4, jnp.int32))


def mark(values, threshold):
    hits[...] = values > threshold  # <-- here


mark(jnp.arange(4.0), 1.5)
