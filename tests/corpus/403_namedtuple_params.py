# rule: unbound-ref-gradient
from typing import NamedTuple

import jax
import jax.numpy as jnp


class GRUParams(NamedTuple):
    w_update: jax.Ref
    w_reset: jax.Ref
    w_cand: jax.Ref


def init(n, m):
    def mat(scale):
        return jax.new_ref(scale * jnp.ones((n + m, n)))
    return GRUParams(mat(0.1), mat(0.2), w_cand=mat(0.3))


def gru(params, h, x):
    hx = jnp.concatenate([h, x])
    z = jax.nn.sigmoid(hx @ params.w_update[...])
    r = jax.nn.sigmoid(hx @ params.w_reset[...])
    cand = jnp.tanh(jnp.concatenate([r * h, x]) @ params.w_cand[...])
    return (1 - z) * h + z * cand


params = init(3, 2)
h = jnp.zeros(3)
pulls = []
for x in jnp.ones((4, 2)):
    h, pull = jax.vjp(gru, params, h, x)
    pulls.append(pull)

ct = jnp.ones_like(h)
for pull in reversed(pulls):
    _, ct, _ = pull(ct)  # <-- here
