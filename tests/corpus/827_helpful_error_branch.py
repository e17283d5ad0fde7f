# rule: none
import sys

import jax
import jax.numpy as jnp


def safe_grad(fn, x):
    """Raises early with a friendly message when given a ref."""
    if isinstance(x, jax.Ref):
        raise TypeError("pass x[...] instead of the ref")
    return jax.grad(fn)(x)


w = jax.new_ref(jnp.ones(2))
try:
    safe_grad(lambda v: jnp.sum(v ** 2), w)
except TypeError as error:
    print(error, file=sys.stderr)
print(safe_grad(lambda v: jnp.sum(v ** 2), w[...]))
