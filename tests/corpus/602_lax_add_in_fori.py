# rule: ref-as-array
import jax
import jax.numpy as jnp
from jax import lax


def total(xs):
    acc = jax.new_ref(jnp.float32(0))

    def body(i, _):
        acc[...] = lax.add(acc, xs[i])  # <-- here

    lax.fori_loop(0, xs.shape[0], body, None)
    return acc[...]


total(jnp.arange(3.0))
