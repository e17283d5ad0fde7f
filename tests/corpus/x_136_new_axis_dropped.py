# rule: ref-index (silent)
import jax
import jax.numpy as jnp

row = jax.new_ref(jnp.arange(3.0))
batch = row[None]  # <-- here
assert batch.shape == (3,)  # (1, 3) for an array
