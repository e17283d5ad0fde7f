# rule: ref-of-ref
import jax
import jax.numpy as jnp


def ensure_ref(x):
    return jax.new_ref(x)  # <-- here


params = {"w": jnp.ones(2), "b": jnp.zeros(())}
refs = {k: ensure_ref(v) for k, v in params.items()}
refs = {k: ensure_ref(v) for k, v in refs.items()}  # second call after a reload
