# rule: ref-returned
import jax
import jax.numpy as jnp


def power_iteration(A, n):
    def body(i, v):
        v = A @ v
        buf = jax.new_ref(v / jnp.linalg.norm(v))
        return buf  # <-- cause

    return jax.lax.fori_loop(0, n, body, jnp.ones(A.shape[0]))  # <-- here


power_iteration(jnp.array([[2.0, 1.0], [1.0, 3.0]]), 10)
