# rule: ref-as-array
import jax
import jax.numpy as jnp

history = jax.new_ref(jnp.zeros((4, 2)))
position = jax.new_ref(jnp.zeros(2))
for t in range(4):
    position[...] += 0.5
    history[t] = position  # <-- here
