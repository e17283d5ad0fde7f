# rule: tainted-ref-write
from contextlib import suppress

import jax
import jax.numpy as jnp

log = jax.new_ref(jnp.zeros(2))


def leaky(x):
    log[...] = x * 2.0  # <-- here
    return x.sum()


with suppress(Exception):
    jax.grad(leaky)(jnp.ones(2))
print("JAX refuses to let a differentiated value escape:", log)
