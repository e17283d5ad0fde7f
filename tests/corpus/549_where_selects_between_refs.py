# rule: ref-as-array
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def choose(flag, a, b):
    return lax.select(flag, a, b)  # <-- here


a, b = map(jax.new_ref, (jnp.zeros(2), jnp.ones(2)))
choose(True, a, b)
