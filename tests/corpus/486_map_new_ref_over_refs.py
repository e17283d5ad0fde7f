# rule: ref-of-ref
import jax
import jax.numpy as jnp


def duplicate(tree):
    return jax.tree.map(jax.new_ref, tree)  # <-- here


online = duplicate({"q": jnp.ones(3)})
target = duplicate(online)
