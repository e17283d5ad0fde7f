# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


def cell(params, state, x):
    h = jnp.tanh(params["w"] @ state["h"][...] + x)
    state["h"][...] = h  # <-- cause
    return jnp.sum(h)


params = {"w": jnp.eye(2)}
state = {"h": jax.new_ref(jnp.zeros(2)), "n": jax.new_ref(jnp.float32(0.0))}
out, back = jax.vjp(cell, params, state, jnp.ones(2))
skip_state = jax.tree.map(lambda _: jax.ad.DontWant(), state)
grads = back.with_refs({"w": jax.ad.GradValue()}, skip_state, jax.ad.DontWant())(1.0)  # <-- here
