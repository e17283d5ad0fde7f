# rule: ref-aliased
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2), "v": jnp.ones(2)}
momenta = dict.fromkeys(params, jax.new_ref(jnp.zeros(2)))


def heavy_ball(params, momenta, grads):
    for k in params:
        momenta[k][...] = 0.9 * momenta[k][...] + grads[k]
    return {k: p - 0.1 * momenta[k][...] for k, p in params.items()}


update = jax.jit(heavy_ball)
params = update(params, momenta, params)  # <-- here
