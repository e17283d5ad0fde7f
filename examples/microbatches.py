"""Gradients of several microbatches added up in refs, without keeping one gradient per microbatch.

Running it ends in JAX's error: the entries of `with_refs` do not have the structure of the primals.
The differentiated function has one argument, the dict of parameters; it wants one entry, a dict, too.
"""

import jax
import jax.numpy as jnp


def loss(params, x, y):
    hidden = jnp.tanh(x @ params["w1"])
    return jnp.mean((hidden @ params["w2"] - y) ** 2)


def accumulated_gradients(params, x, y, microbatches):
    w1_grad_ref = jax.new_ref(jnp.zeros_like(params["w1"]))
    w2_grad_ref = jax.new_ref(jnp.zeros_like(params["w2"]))
    for x_part, y_part in zip(jnp.split(x, microbatches), jnp.split(y, microbatches)):
        value, loss_vjp = jax.vjp(lambda p: loss(p, x_part, y_part), params)
        loss_vjp.with_refs(w1_grad_ref, w2_grad_ref)(jnp.ones_like(value) / microbatches)
    return {"w1": jax.freeze(w1_grad_ref), "w2": jax.freeze(w2_grad_ref)}


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    params = {
        "w1": 0.1 * jax.random.normal(keys[0], (4, 8)),
        "w2": 0.1 * jax.random.normal(keys[1], (8,)),
    }
    x = jax.random.normal(keys[2], (32, 4))
    y = jnp.sum(x**2, axis=1)
    for step in range(20):
        grads = accumulated_gradients(params, x, y, microbatches=4)
        params = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
    print(f"loss {loss(params, x, y):.4f}")


if __name__ == "__main__":
    main()
