# rule: ref-as-array
import jax
import jax.numpy as jnp
from jax import lax

warm = jax.new_ref(True)


def learning_rate(step):
    warm[...] = step < 10
    return lax.cond(warm, lambda: 1e-3, lambda: 1e-2)  # <-- here


print(learning_rate(3))
