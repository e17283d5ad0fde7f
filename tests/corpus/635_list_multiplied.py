# rule: ref-aliased
import jax
import jax.numpy as jnp


@jax.jit
def zero_all(buffers):
    for buf in buffers:
        buf[...] = jnp.zeros(buf.shape)


buffers = [jax.new_ref(jnp.ones(3))] * 4
zero_all(buffers)  # <-- here
