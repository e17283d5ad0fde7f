from typing import NamedTuple

import jax
import jax.numpy as jnp


class Gate(NamedTuple):
    w: jax.Ref
    b: jax.Ref


gate = Gate(jax.new_ref(jnp.array([1.0, 2.0])), jax.new_ref(jnp.array([0.5, 0.5])))


def run(g, h):
    return jnp.sum(jax.nn.sigmoid(g.w[...] * h + g.b[...]))


h = jnp.array([0.1, -0.3])
out, pull = jax.vjp(run, gate, h)
gate_bar, h_bar = pull(jnp.ones_like(out))
# meant: gate_bar.w == jax.grad(lambda w: jnp.sum(jax.nn.sigmoid(w * h + 0.5)))(jnp.array([1.0, 2.0]))
# meant: h_bar == jax.grad(lambda h: jnp.sum(jax.nn.sigmoid(jnp.array([1.0, 2.0]) * h + 0.5)))(h)
