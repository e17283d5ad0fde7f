# rule: ref-truthiness (silent)
import jax
import jax.numpy as jnp

mask = jax.new_ref(jnp.zeros(3, bool))
updates = 0
for _ in range(2):
    if not mask:  # <-- here
        updates += 1
assert updates == 0
