# rule: ref-index
import jax
import jax.numpy as jnp

ring = jax.new_ref(jnp.zeros(4))
for i in range(5):
    ring[i] = float(i)  # <-- here
