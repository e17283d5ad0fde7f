# rule: none
"""Microbatches, gradient refs, Adam state in refs, all in one jitted step."""
import functools

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [{"w": jax.random.normal(k, (m, n)) / m ** 0.5, "b": jnp.zeros(n)}
            for k, m, n in zip(keys, sizes, sizes[1:])]


def predict(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"][...] + layer["b"][...])
    return x @ params[-1]["w"][...] + params[-1]["b"][...]


def loss(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


def adam(p, g, m, v, t, lr=1e-2):
    m[...] = 0.9 * m[...] + 0.1 * g[...]
    v[...] = 0.99 * v[...] + 0.01 * g[...] ** 2
    p[...] -= lr * (m[...] / (1 - 0.9 ** t)) / (jnp.sqrt(v[...] / (1 - 0.99 ** t)) + 1e-8)
    g[...] = jnp.zeros_like(g)


@jax.jit
def step(params, grads, m, v, t, xs, ys):
    t[...] += 1.0

    def micro(total, batch):
        value, pull = jax.vjp(lambda p: loss(p, *batch), params)
        pull.with_refs(grads)(jnp.ones_like(value))
        return total + value, None

    total, _ = jax.lax.scan(micro, 0.0, (xs, ys))
    jax.tree.map(functools.partial(adam, t=t[...]), params, grads, m, v)
    return total / xs.shape[0]


values = init(jax.random.key(0), (2, 4, 1))
params = jax.tree.map(jax.new_ref, values)
grads, m, v = (jax.tree.map(lambda p: jax.new_ref(jnp.zeros_like(p)), values) for _ in range(3))
t = jax.new_ref(jnp.float32(0))
for _ in range(3):
    print(step(params, grads, m, v, t, jnp.ones((2, 4, 2)), jnp.zeros((2, 4, 1))))
