# rule: none
from typing import NamedTuple
import jax
import jax.numpy as jnp


class Prediction(NamedTuple):
    mean: jax.Array
    cov: jax.Array


def gp(params, x):
    m = params["a"][...] * x
    return Prediction(m, jnp.outer(x, x) * jnp.exp(params["s"]))


params = {"a": jax.new_ref(jnp.float32(0.5)), "s": jnp.float32(0.1)}
spec = {"a": jax.new_ref(jnp.float32(0.0)), "s": jax.ad.GradValue()}
pred, pull = jax.vjp(gp, params, jnp.arange(2.0))
seed = jax.tree.map(jnp.ones_like, pred)._replace(mean=jnp.zeros(2))
p_bar, _ = pull.with_refs(spec, jax.ad.DontWant())(seed)
print(spec["a"], p_bar["s"] * 2)
