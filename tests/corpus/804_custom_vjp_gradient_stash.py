# rule: none
"""The documentation's plumbing: a backward pass that writes the cotangent into a ref."""
import jax
import jax.numpy as jnp


@jax.custom_vjp
def stash_grad(grads_ref, x):
    return x


def stash_grad_fwd(grads_ref, x):
    return x, grads_ref


def stash_grad_bwd(grads_ref, g):
    grads_ref[...] = g
    return None, g


stash_grad.defvjp(stash_grad_fwd, stash_grad_bwd)


def f(x, grads_ref):
    x = jnp.sin(x)
    x = stash_grad(grads_ref, x)
    return x ** 2


grads_ref = jax.new_ref(0.0)
df = jax.grad(f)(1.0, grads_ref)
print(df, grads_ref[...])
