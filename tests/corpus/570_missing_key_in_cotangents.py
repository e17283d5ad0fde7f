# rule: cotangent-structure
import jax
import jax.numpy as jnp


def heads(params, x):
    return {name: x @ w for name, w in params.items()}


params = {"policy": jnp.ones((3, 2)), "value": jnp.ones((3, 1)), "aux": jnp.ones((3, 4))}
outs, back = jax.vjp(heads, params, jnp.ones(3))
seeds = {name: jnp.ones_like(out) for name, out in outs.items() if name != "aux"}
param_bars, _ = back(seeds)  # <-- here
