# rule: cotangent-structure
import jax
import jax.numpy as jnp


def per_example_loss(w, x, y):
    return (x @ w - y) ** 2


def train_step(w, x, y):
    losses, back = jax.vjp(per_example_loss, w, x, y)
    loss = losses.mean()
    w_bar, *_ = back(jnp.ones_like(loss))  # <-- here
    return loss, w - 0.1 * w_bar


train_step(jnp.zeros(2), jnp.ones((6, 2)), jnp.ones(6))
