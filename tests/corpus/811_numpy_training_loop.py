# rule: none
"""Plain numpy and jax.grad; nothing here is a ref, whatever it is called."""
import numpy as np
import jax
import jax.numpy as jnp


class Parameter:
    def __init__(self, value):
        self.ref = np.asarray(value, np.float32)
        self.grad_ref = np.zeros_like(self.ref)

    def zero_grad(self):
        self.grad_ref[...] = 0


def loss(w_ref, b_ref, x):
    return jnp.mean((x @ w_ref + b_ref) ** 2)


w, b = Parameter(np.ones(2)), Parameter(0.0)
x = np.ones((3, 2), np.float32)
for _ in range(2):
    value, loss_vjp = jax.vjp(loss, w.ref, b.ref, x)
    gw, gb, _ = loss_vjp(np.float32(1.0))
    w.grad_ref[...] += gw
    b.grad_ref[...] += gb
    for p in (w, b):
        p.ref = p.ref - 0.1 * p.grad_ref
        p.zero_grad()
print(w.ref + 1, np.sin(b.ref), jax.grad(loss)(w.ref, b.ref, x))
