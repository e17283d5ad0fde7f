"""The files that are measured: generated ones, dense with refs, of any size."""

from __future__ import annotations

SMALL = """import jax
import jax.numpy as jnp
state_ref = jax.new_ref(jnp.zeros(3))
value, f_vjp = jax.vjp(lambda r: r[...].sum(), state_ref)
f_vjp(value)
"""
"""A small file with one mistake."""

_HEAD = "import jax\nimport jax.numpy as jnp\n\n"
_BLOCKS = (
    """
def loss_{i}(w, x):
    y = jnp.dot(x, w[...])
    return jnp.sum(y ** 2) + {i}


def step_{i}(params, batch):
    w_ref = jax.new_ref(params["w{i}"])
    grad_ref = jax.new_ref(jnp.zeros_like(params["w{i}"]))
    value, f_vjp = jax.vjp(loss_{i}, w_ref, batch)
    _, dx = f_vjp.with_refs(grad_ref, jax.ad.GradValue())(jnp.ones_like(value))
    w_ref[...] -= 0.1 * grad_ref[...]
    if value > {i}:
        w_ref[...] = w_ref[...] * 0.5
    return w_ref[...], dx


""",
    """
class Layer{i}:
    def __init__(self, size):
        self.state_ref = jax.new_ref(jnp.zeros((size,)))

    def __call__(self, x):
        self.state_ref[...] += x.mean(axis=0)
        return x - self.state_ref[...]


def run_{i}(x):
    layer = Layer{i}(3)
    for _ in range(4):
        x = layer(x)
    return x


""",
)


def dense(lines: int) -> str:
    """A module of about so many lines, in which every function has to do with refs."""
    parts, count, number = [_HEAD], _HEAD.count("\n"), 0
    while count < lines:
        block = _BLOCKS[number % len(_BLOCKS)].format(i=number)
        parts.append(block)
        count += block.count("\n")
        number += 1
    return "".join(parts)
