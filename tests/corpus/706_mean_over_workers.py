# rule: placeholder-as-gradient
import functools
import operator

import jax
import jax.numpy as jnp


def worker(w, shard):
    acc = jax.new_ref(jnp.zeros_like(w))
    loss, back = jax.vjp(lambda w: jnp.mean(shard @ w), w)
    return back.with_refs(acc)(jnp.ones_like(loss))[0]


shards = jnp.ones((2, 3, 2))
contributions = [worker(jnp.ones(2), s) for s in shards]
total = functools.reduce(operator.add, contributions)  # <-- here
