# rule: none
from typing import Any, cast

import jax
import jax.numpy as jnp


def accumulate(params, batches):
    grad_refs = jax.tree.map(lambda p: jax.new_ref(jnp.zeros_like(p)), params)

    def loss(p, x, y):
        err = x @ p["w"] + p["b"] - y
        return jnp.mean(err ** 2), {"mae": jnp.abs(err).mean()}

    def body(_, batch):
        value, f_vjp, aux = jax.vjp(lambda p: loss(p, *batch), params, has_aux=True)
        cast(Any, f_vjp).with_refs(grad_refs)(jnp.ones_like(value))
        return None, (value, aux)

    _, (losses, metrics) = jax.lax.scan(body, None, batches)
    return jax.tree.map(jax.freeze, grad_refs), losses, metrics


params = {"w": jnp.ones(2), "b": jnp.zeros(())}
grads, losses, metrics = jax.jit(accumulate)(params, (jnp.ones((3, 4, 2)), jnp.ones((3, 4))))
print(jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), metrics)
