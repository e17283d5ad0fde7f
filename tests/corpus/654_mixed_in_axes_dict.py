# rule: vmap-closes-over-ref
import jax
import jax.numpy as jnp


def rollout(state, action):
    state["pos"][...] += action
    state["total"][...] = state["total"][...] + state["pos"][...]  # <-- here
    return state["pos"][...]


state = {"pos": jax.new_ref(jnp.zeros(4)), "total": jax.new_ref(jnp.zeros(()))}
axes = ({"pos": 0, "total": None}, 0)
jax.vmap(rollout, in_axes=axes)(state, jnp.arange(4.0))
