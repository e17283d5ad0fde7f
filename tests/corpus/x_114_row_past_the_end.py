# rule: ref-index
import jax
import jax.numpy as jnp


def rolling(buffer, n_rows):
    for i in range(n_rows):
        buffer[i] = buffer[i + 1]  # <-- here


rolling(jax.new_ref(jnp.ones((3, 2))), 3)
