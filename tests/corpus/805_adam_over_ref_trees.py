# rule: none
import dataclasses
import functools

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class AdamConfig:
    lr: float = 1e-2
    b1: float = 0.9
    b2: float = 0.99


def adam_update(cfg, param, grad, state):
    m = state["m"][...] = cfg.b1 * state["m"][...] + (1 - cfg.b1) * grad
    v = state["v"][...] = cfg.b2 * state["v"][...] + (1 - cfg.b2) * grad ** 2
    param[...] -= cfg.lr * m / (jnp.sqrt(v) + 1e-8)


def init_adam(params):
    zeros = lambda p: jax.new_ref(jnp.zeros_like(p))
    return jax.tree.map(lambda p: {"m": zeros(p), "v": zeros(p)}, params)


def loss(values, x):
    return jnp.mean((x @ values["w"] + values["b"] - 1.0) ** 2)


refs = jax.tree.map(jax.new_ref, {"w": jnp.ones(3), "b": jnp.zeros(())})
opt = init_adam(refs)
for step in range(3):
    values = jax.tree.map(jax.ref.get, refs)
    grads = jax.grad(loss)(values, jnp.ones((4, 3)))
    jax.tree.map(functools.partial(adam_update, AdamConfig()), refs, grads, opt)
print(jax.tree.map(lambda r: r[...], refs))
