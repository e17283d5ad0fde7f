# rule: ref-at-method
import jax
import jax.numpy as jnp

counts = jax.new_ref(jnp.zeros(4, jnp.int32))
for token in (0, 2, 2, 3):
    counts.at[token].add(1)  # <-- here
