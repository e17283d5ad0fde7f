# rule: none
from __future__ import annotations

import jax
import jax.numpy as jnp


def dropout(x, rate, key_ref: jax.Ref | None = None):
    if key_ref is None or rate == 0.0:
        return x
    key, sub = jax.random.split(key_ref[...])
    key_ref[...] = key
    return jnp.where(jax.random.bernoulli(sub, 1 - rate, x.shape), x / (1 - rate), 0.0)


rng = jax.new_ref(jax.random.key(0))
x = jnp.ones(4)
seen = {id(rng)}
print(dropout(x, 0.5), dropout(x, 0.5, rng), dropout(x, 0.5, key_ref=rng))
print(rng is None, rng is not None, id(rng) in seen, {rng: "stream"}[rng])
