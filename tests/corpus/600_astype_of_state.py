# rule: ref-as-array
import jax
import jax.numpy as jnp


def export(state):
    return jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), state)  # <-- here


ema = {"w": jax.new_ref(jnp.ones((2, 2)))}
export({"w": jnp.ones((2, 2))})
export(ema)
