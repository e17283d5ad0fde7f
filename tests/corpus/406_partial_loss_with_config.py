# rule: unbound-ref-gradient
import functools
import types

import jax
import jax.numpy as jnp

config = types.SimpleNamespace(delta=0.5, l2=1e-4)


def huber(cfg, coef, features, target):
    err = features @ coef[...] - target
    small = jnp.abs(err) <= cfg.delta
    loss = jnp.where(small, 0.5 * err ** 2, cfg.delta * (jnp.abs(err) - 0.5 * cfg.delta))
    return loss.mean() + cfg.l2 * jnp.sum(coef[...] ** 2)


loss_fn = functools.partial(huber, config)
coef = jax.new_ref(jnp.zeros(4))
features = jnp.eye(4)[jnp.array([0, 1, 1, 3, 2])]
for epoch in range(3):
    value, vjp_fn = jax.vjp(loss_fn, coef, features, jnp.arange(5.0))
    grads = vjp_fn(jnp.ones_like(value))  # <-- here
    coef[...] = coef[...] - 0.1 * grads[0]
