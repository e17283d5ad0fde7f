# rule: dont-want-written-ref
import functools

import jax
import jax.numpy as jnp


def dropout(seed, x, rate):
    seed[...] = seed[...] * 1.5 + 0.25  # <-- cause
    return jnp.where(jnp.sin(seed[...] * jnp.arange(x.size)) > rate, x, 0.0)


def block(w, seed, x, drop):
    return jnp.sum(drop(seed, jnp.tanh(x @ w)))


drop = functools.partial(dropout, rate=0.0)
value, pull = jax.vjp(functools.partial(block, drop=drop), jnp.eye(3), jax.new_ref(0.5), jnp.ones(3))
want, skip = jax.ad.GradValue(), jax.ad.DontWant()
w_bar, _, _ = pull.with_refs(want, skip, skip)(jnp.ones_like(value))  # <-- here
