# rule: grad-of-ref
import functools

import jax
import jax.numpy as jnp


def cross_entropy(params, x, y):
    logits = x @ params["w"] [...] + params["b"][...]
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * y, -1)), logits


@functools.partial(jax.jit, donate_argnums=())
def train_step(params, x, y):
    (loss, logits), grads = jax.value_and_grad(cross_entropy, has_aux=True)(params, x, y)  # <-- here
    for name, ref in params.items():
        ref[...] -= 0.1 * grads[name]
    return loss, logits


params = {"w": jax.new_ref(jnp.zeros((2, 3))), "b": jax.new_ref(jnp.zeros(3))}
train_step(params, jnp.ones((4, 2)), jnp.eye(3)[jnp.array([0, 1, 2, 0])])
