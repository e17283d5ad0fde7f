"""A training step whose input normaliser keeps its running mean in a ref.

Running it ends in JAX's error: the ref is an argument of the differentiated function, and nobody said
where its gradient goes. `jaxref check` says so before.
"""

import jax
import jax.numpy as jnp


def normalise(x, mean_ref):
    mean_ref[...] = 0.9 * mean_ref[...] + 0.1 * jnp.mean(x, axis=0)
    return x - mean_ref[...]


def loss(weights, mean_ref, x, y):
    prediction = normalise(x, mean_ref) @ weights
    return jnp.mean((prediction - y) ** 2)


def train_step(weights, mean_ref, x, y):
    value, loss_vjp = jax.vjp(lambda w, mean: loss(w, mean, x, y), weights, mean_ref)
    weights_grad, _ = loss_vjp(jnp.ones_like(value))
    return weights - 0.1 * weights_grad, value


def main():
    x = jax.random.normal(jax.random.key(0), (64, 3)) + 2.0
    y = (x - 2.0) @ jnp.array([1.0, -2.0, 0.5])
    weights = jnp.zeros(3)
    mean_ref = jax.new_ref(jnp.zeros(3))
    for step in range(100):
        weights, value = train_step(weights, mean_ref, x, y)
        if step % 20 == 0:
            print(f"step {step}: loss {value:.4f}, running mean {mean_ref[...]}")


if __name__ == "__main__":
    main()
