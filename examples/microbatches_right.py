"""The same as microbatches.py, done right: it runs, and `jaxref check` finds nothing in it."""

import jax
import jax.numpy as jnp


def loss(params, x, y):
    hidden = jnp.tanh(x @ params["w1"])
    return jnp.mean((hidden @ params["w2"] - y) ** 2)


def accumulated_gradients(params, x, y, microbatches):
    grad_refs = jax.tree.map(lambda p: jax.new_ref(jnp.zeros_like(p)), params)
    for x_part, y_part in zip(jnp.split(x, microbatches), jnp.split(y, microbatches)):
        value, loss_vjp = jax.vjp(lambda p: loss(p, x_part, y_part), params)
        loss_vjp.with_refs(grad_refs)(jnp.ones_like(value) / microbatches)
    return jax.tree.map(jax.freeze, grad_refs)


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

    whole = jax.grad(loss)(params, x, y)
    parts = accumulated_gradients(params, x, y, microbatches=4)
    assert all(
        jnp.allclose(a, b, atol=1e-6) for a, b in zip(jax.tree.leaves(whole), jax.tree.leaves(parts))
    )
    print(f"loss {loss(params, x, y):.4f}")


if __name__ == "__main__":
    main()
