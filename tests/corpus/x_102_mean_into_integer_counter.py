# rule: ref-store-type
import jax
import jax.numpy as jnp

length = jax.new_ref(jnp.int32(0))


@jax.jit
def observe(mask):
    length[...] = 0.9 * length[...] + 0.1 * mask.sum()  # <-- here


observe(jnp.array([True, False, True]))
