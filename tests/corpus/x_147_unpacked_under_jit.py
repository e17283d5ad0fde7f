# rule: ref-iterated
import jax
import jax.numpy as jnp


@jax.jit
def rotate(vec, angle):
    x, y = vec  # <-- here
    vec[0] = x * jnp.cos(angle) - y * jnp.sin(angle)


rotate(jax.new_ref(jnp.array([1.0, 0.0])), 0.3)
