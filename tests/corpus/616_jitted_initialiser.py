# rule: ref-returned
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=1)
def init(key, dims):
    ks = jax.random.split(key, len(dims) - 1)
    ws = [jax.random.normal(k, (m, n)) for k, m, n in zip(ks, dims, dims[1:])]
    return jax.tree.map(jax.new_ref, ws)  # <-- cause


weights = init(jax.random.key(0), (3, 4, 2))  # <-- here
