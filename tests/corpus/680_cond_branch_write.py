# rule: tainted-ref-write
import jax
import jax.numpy as jnp
from jax import lax

overflow = jax.new_ref(jnp.float32(0))


def guarded_exp(x):
    def clip(x):
        overflow[...] = x  # <-- cause
        return jnp.exp(10.0) + 0.0 * x

    return lax.cond(x > 10.0, clip, jnp.exp, x)  # <-- here


jax.grad(guarded_exp)(2.0)
