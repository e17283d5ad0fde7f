# rule: ref-store-type
import jax
import jax.numpy as jnp

cache = jax.new_ref(jnp.zeros((2, 4), jnp.bfloat16))


def write(pos, key):
    rotated = key * jnp.cos(jnp.arange(4.0))
    jax.ref.set(cache, pos, rotated)  # <-- here


write(0, jnp.ones(4, jnp.bfloat16))
