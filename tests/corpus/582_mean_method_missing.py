# rule: ref-as-array
import jax
import jax.numpy as jnp

losses = jax.new_ref(jnp.zeros(3))
for i in range(3):
    losses[i] = 1.0 / (i + 1)
print("mean loss", losses.mean())  # <-- here
