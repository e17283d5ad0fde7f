# rule: gradient-ref-type
import functools
import operator

import jax
import jax.numpy as jnp


def nbody(masses, positions):
    d = positions[:, None] - positions[None]
    r = jnp.sqrt((d ** 2).sum(-1) + 0.1)
    return -jnp.sum(jnp.outer(masses, masses) / r)


zero_ref = functools.partial(jax.new_ref, 0.0)
entries = [zero_ref(), jax.ad.DontWant()]
energy, back = jax.vjp(nbody, jnp.ones(3), jnp.arange(6.0).reshape(3, 2))
apply = operator.methodcaller("with_refs", *entries)
back.with_refs(*entries)(1.0)  # <-- here
