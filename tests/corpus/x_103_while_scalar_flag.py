# rule: ref-truthiness
import jax
import jax.numpy as jnp

running = jax.new_ref(jnp.bool_(True))
t = 0
while running:  # <-- here
    t += 1
    running[...] = jnp.bool_(t < 3)
