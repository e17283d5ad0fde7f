# rule: none
"""Gradient accumulation three ways; all of them end in the same number."""
import functools
import operator
import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.sum((w * x) ** 2)


w = jnp.array([1.0, 2.0])
xs = jnp.arange(6.0).reshape(3, 2)

by_value = functools.reduce(operator.add, (jax.grad(loss)(w, x) for x in xs))

acc = jax.new_ref(jnp.zeros_like(w))
for x in xs:
    acc[...] += jax.vjp(lambda w: loss(w, x), w)[1](1.0)[0]

direct = jax.new_ref(jnp.zeros_like(w))
for x in xs:
    _, back = jax.vjp(loss, w, x)
    back.with_refs(direct, jax.ad.DontWant())(1.0)

assert jnp.allclose(by_value, acc[...]) and jnp.allclose(acc[...], direct[...])
