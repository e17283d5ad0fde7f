# rule: ref-returned
import jax
import jax.numpy as jnp
from jax import lax


def power_iteration(matrix, n):
    vec = jax.new_ref(jnp.ones(matrix.shape[0]))

    def cond(state):
        return state[0] < n

    def body(state):
        i, v = state
        w = matrix @ v[...]
        v[...] = w / jnp.linalg.norm(w)
        return i + 1, v  # <-- cause

    return lax.while_loop(cond, body, (0, vec))[1][...]  # <-- here


power_iteration(jnp.diag(jnp.array([1.0, 2.0])), 4)
