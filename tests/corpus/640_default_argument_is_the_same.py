# rule: ref-aliased
import jax
import jax.numpy as jnp

SCRATCH = jax.new_ref(jnp.zeros(3))


@jax.jit
def accumulate(x, out, scratch):
    scratch[...] = x * 2.0
    out[...] += scratch[...]


def run(x, out=SCRATCH):
    accumulate(x, out, SCRATCH)  # <-- here


run(jnp.ones(3), jax.new_ref(jnp.zeros(3)))
run(jnp.ones(3))
