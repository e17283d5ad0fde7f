# rule: shared-gradient-ref (silent)
import jax
import jax.numpy as jnp


def tree_of_zeros(tree):
    buffer = jax.new_ref(jnp.zeros(2))
    return jax.tree.map(lambda leaf: buffer, tree)


params = {"gain": jnp.ones(2), "bias": jnp.zeros(2)}
grads = tree_of_zeros(params)
out, back = jax.vjp(lambda p: jnp.sum(p["gain"] * 2.0 + p["bias"]), params)
back.with_refs(grads)(jnp.ones_like(out))  # <-- here
assert (grads["bias"][...] == 3.0).all()
