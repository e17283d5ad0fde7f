# rule: ref-aliased
import jax
import jax.numpy as jnp
from jax import lax


def copy_into(src, dst):
    dst[...] = src[...]


def sync(flag, a, b):
    lax.cond(flag, copy_into, lambda src, dst: None, a, b)  # <-- here


x = jax.new_ref(jnp.ones(2))
sync(True, x, jax.new_ref(jnp.zeros(2)))
sync(True, x, x)
