import functools

import jax
import jax.numpy as jnp


def loss(w, b, x):
    return jnp.sum(jnp.sin(w['kernel'] @ x + b))


@functools.partial(jax.jit, static_argnames=('scale',))
def backward(x,  # not used
             pull, ct, *, scale=1.0):
    """The gradient of the inputs."""
    ct = ct * scale
    for _ in range(2): x_bar = pull(ct)[2]
    return x_bar


w, b, x = {'kernel': jnp.eye(2)}, jnp.ones(2), jnp.arange(2.0)
w_bar, b_bar = {'kernel': jax.new_ref(jnp.zeros((2, 2)))}, jax.new_ref(jnp.zeros(2))
y, f_vjp = jax.vjp(loss, w, b, x)
bound = f_vjp.with_refs(w_bar, b_bar, jax.ad.GradValue())
x_bar = backward(x, bound, jnp.ones_like(y), scale=2.0)
kernel_bar = w_bar['kernel'][...]
# meant: kernel_bar == 4 * jax.grad(loss)(w, b, x)['kernel']
# meant: b_bar[...] == 4 * jax.grad(loss, 1)(w, b, x)
