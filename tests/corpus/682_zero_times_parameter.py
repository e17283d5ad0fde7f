# rule: tainted-ref-write
import jax
import jax.numpy as jnp

buffer = jax.new_ref(jnp.zeros(3))


def loss(w):
    noise = jnp.arange(3.0)
    buffer[...] = noise + 0.0 * w  # <-- here
    return jnp.sum(w * noise)


jax.grad(loss)(jnp.ones(3))
