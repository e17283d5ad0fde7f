# rule: tainted-ref-write
import contextlib

import jax
import jax.numpy as jnp

_collector = []


class Collector:
    def __init__(self, names):
        self.values = {name: jax.new_ref(jnp.float32(0)) for name in names}

    def put(self, name, value):
        self.values[name][...] = value  # <-- here


@contextlib.contextmanager
def collecting(collector):
    _collector.append(collector)
    try:
        yield collector
    finally:
        _collector.pop()


def attention(w, x):
    scores = jax.nn.softmax(x @ w @ x.T)
    if _collector:
        _collector[-1].put("entropy", -jnp.mean(jnp.sum(scores * jnp.log(scores), -1)))
    return scores @ x


def loss(w, x):
    return jnp.sum(attention(w, x) ** 2)


print(loss(jnp.eye(2), jnp.ones((3, 2))))
with collecting(Collector(["entropy"])):
    grads = jax.grad(loss)(jnp.eye(2), jnp.ones((3, 2)))
