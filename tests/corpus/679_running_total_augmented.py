# rule: tainted-ref-write
import functools

import jax
import jax.numpy as jnp

total = jax.new_ref(0.0)


def regulariser(weight, w):
    penalty = weight * jnp.sum(jnp.abs(w))
    total[...] += penalty  # <-- here
    return penalty


def loss(w):
    terms = [functools.partial(regulariser, 0.1), lambda w: jnp.sum((w - 1.0) ** 2)]
    return sum(term(w) for term in terms)


jax.grad(loss)(jnp.ones(3))
