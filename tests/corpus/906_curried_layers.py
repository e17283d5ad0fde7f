# rule: unbound-ref-gradient
import functools

import jax
import jax.numpy as jnp


def curry(fn):
    return lambda *head: lambda *tail: fn(*head, *tail)


@curry
def affine(w, b, x):
    return x @ w[...] + b[...]


def backprop(layer, x):
    return jax.vjp(layer, x)


def parameters_gradient(fn, *params, x):
    y, back = jax.vjp(lambda *ps: fn(*ps)(x), *params)
    return back(jnp.ones_like(y))  # <-- here


w, b = jax.new_ref(jnp.ones((2, 2))), jax.new_ref(jnp.zeros(2))
y, back = backprop(affine(w, b), jnp.ones(2))
back(y)
parameters_gradient(affine, w, b, x=jnp.ones(2))
