# rule: use-after-freeze
import jax
import jax.numpy as jnp


def refine(i, x):
    work = jax.new_ref(x)
    work[...] = 0.5 * (work[...] + 2.0 / work[...])
    result = jax.freeze(work)
    return jnp.where(i == 0, result, work[...])  # <-- cause


root = jax.lax.fori_loop(0, 3, refine, jnp.float32(1.0))  # <-- here
