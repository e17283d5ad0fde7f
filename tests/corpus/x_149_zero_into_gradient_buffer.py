# rule: ref-store-type
import jax
import jax.numpy as jnp


def zero_grad(grads):
    for g in grads.values():
        g[...] = 0.0  # <-- here


grads = {"bias": jax.new_ref(jnp.float32(1.0)), "kernel": jax.new_ref(jnp.ones((2, 2)))}
zero_grad(grads)
