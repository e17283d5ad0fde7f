# rule: ref-of-ref
import jax
import jax.numpy as jnp

params = [jax.new_ref(jnp.ones((2, 2))), jax.new_ref(jnp.zeros(2))]
momenta = [jax.new_ref(p) for p in params]  # <-- here
for m in momenta:
    m[...] *= 0.0
