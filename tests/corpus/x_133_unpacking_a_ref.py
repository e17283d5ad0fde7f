# rule: ref-iterated
import jax
import jax.numpy as jnp

pose = jax.new_ref(jnp.array([1.0, 2.0, 0.5]))
pose[2] += 0.1
x, y, theta = pose  # <-- here
print(x, y, theta)
