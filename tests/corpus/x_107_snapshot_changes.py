# rule: write-after-freeze (silent)
import jax
import jax.numpy as jnp

weights = jax.new_ref(jnp.ones(2))
checkpoint = jax.freeze(weights)
weights[...] = weights[...] * 3.0  # <-- here
print("restored", checkpoint)
assert (checkpoint == 3.0).all()
