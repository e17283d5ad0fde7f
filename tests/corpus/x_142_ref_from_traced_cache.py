# rule: leaked-ref
import jax
import jax.numpy as jnp

cache = {}


@jax.jit
def encode(x):
    if "buffer" not in cache:
        cache["buffer"] = jax.new_ref(jnp.zeros_like(x))  # <-- cause
    cache["buffer"][...] += x
    return x * 2


encode(jnp.ones(2))
cache["buffer"][...] += 1.0  # <-- here
