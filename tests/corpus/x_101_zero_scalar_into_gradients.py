# rule: ref-store-type
import jax
import jax.numpy as jnp

grads = {"w": jax.new_ref(jnp.zeros((2, 3))), "b": jax.new_ref(jnp.zeros(3))}


def zero_grad(grads):
    for g in grads.values():
        g[...] = 0.0  # <-- here


zero_grad(grads)
