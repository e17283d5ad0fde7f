# rule: ref-index
import jax
import jax.numpy as jnp

energy = jax.new_ref(jnp.array([0.1, 2.0, 3.0]))
alive = energy[...] > 1.0
hot = energy[alive]  # <-- here
