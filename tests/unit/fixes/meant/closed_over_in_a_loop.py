import jax
import jax.numpy as jnp


def run(x):
    cell = jax.new_ref(jnp.zeros(3))

    def loss(w):
        cell[...] = jnp.tanh(w * x)
        return jnp.sum(cell[...] ** 2)

    total = 0.0
    for _ in range(2):
        value, back = jax.vjp(loss, jnp.ones(3))
        (w_bar,) = back(jnp.ones_like(value))
        total = total + w_bar
    return total


total = run(jnp.arange(3.0))
# meant: total == 2 * jax.grad(lambda w: jnp.sum(jnp.tanh(w * jnp.arange(3.0)) ** 2))(jnp.ones(3))
