# rule: none
import jax
import jax.numpy as jnp

back = jax.new_ref(jnp.zeros(2))  # a ref called back
grad = back[...] + 1.0            # an array called grad


def loss(back):
    grad = jnp.sum(back ** 2)
    return grad


def run(w):
    value, back = jax.vjp(loss, w)
    (grad,) = back(jnp.ones_like(value))
    return grad


back[...] += run(grad)
grad = jax.grad(loss)(grad)
freeze = jax.freeze(back)
print([jax.grad(lambda back: back * 2.0)(1.0) for back in (1.0, 2.0)], freeze, grad)
