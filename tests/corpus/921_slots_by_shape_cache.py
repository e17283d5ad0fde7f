# rule: shared-gradient-ref (silent)
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache(maxsize=None)
def zeros_ref(shape, dtype):
    """Reuses buffers of the same shape to save memory."""
    return jax.new_ref(jnp.zeros(shape, dtype))


def slots_for(params):
    return {name: zeros_ref(p.shape, str(p.dtype)) for name, p in params.items()}


params = {"query": jnp.ones(3), "key": jnp.full(3, 2.0), "scale": jnp.float32(1.0)}


def similarity(p):
    return p["scale"] * jnp.vdot(p["query"], p["key"])


slots = slots_for(params)
out, pull = jax.vjp(similarity, params)
pull.with_refs(slots)(jnp.ones_like(out))  # <-- here
assert (slots["query"][...] == 3.0).all()  # 2 for the query and 1 for the key were meant
