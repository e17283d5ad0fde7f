# rule: ref-aliased
import jax
import jax.numpy as jnp

opt = {"m": jax.new_ref(jnp.zeros(2)), "v": jax.new_ref(jnp.zeros(2))}


@jax.jit
def adam(state, g):
    state["m"][...] = 0.9 * state["m"][...] + 0.1 * g
    state["v"][...] = 0.99 * state["v"][...] + 0.01 * g ** 2
    return opt["m"][...] / (jnp.sqrt(opt["v"][...]) + 1e-8)


adam(opt, jnp.ones(2))  # <-- here
