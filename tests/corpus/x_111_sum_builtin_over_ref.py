# rule: ref-iterated
import jax
import jax.numpy as jnp

rewards = jax.new_ref(jnp.array([1.0, 0.5, 0.25]))
gamma = 0.9
ret = sum(gamma ** t * r for t, r in enumerate(rewards))  # <-- here
