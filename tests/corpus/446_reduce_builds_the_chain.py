# rule: unbound-ref-gradient
import functools
import operator

import jax
import jax.numpy as jnp

stages = [("gain", jax.new_ref(2.0)), ("bias", jax.new_ref(0.5))]
forward = {"gain": lambda p, x: p[...] * x, "bias": lambda p, x: p[...] + x}


def push(state, stage):
    x, pulls = state
    name, ref = stage
    y, pull = jax.vjp(forward[name], ref, x)
    return y, {**pulls, name: pull}


y, pulls = functools.reduce(push, stages, (jnp.float32(1.0), {}))
last = operator.itemgetter("bias")(pulls)
bias_bar, ct = last(jnp.ones_like(y))  # <-- here
