# rule: ref-compared (silent)
import jax
import jax.numpy as jnp

converged = jax.new_ref(jnp.int32(0))


def solve(x, n):
    for i in range(n):
        x = 0.5 * x
        converged[...] = (jnp.abs(x) < 0.3).astype(jnp.int32)
        if converged == 1:  # <-- here
            break
    return i


assert solve(jnp.float32(1.0), 10) == 9
