# rule: vmap-closes-over-ref
import jax
import jax.numpy as jnp

latest = jax.new_ref(jnp.zeros(2))


@jax.jit
def remember(x):
    latest[...] = x  # <-- cause
    return jnp.linalg.norm(x)


norms = jax.vmap(remember)(jnp.ones((3, 2)))  # <-- here
