# rule: ref-store-type
import jax
import jax.numpy as jnp

scores = jax.new_ref(jnp.full(3, -jnp.inf))
scores[0] = 1.5
for player in range(1, 3):
    scores[player] = 0  # <-- here
