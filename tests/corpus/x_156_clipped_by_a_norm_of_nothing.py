# rule: placeholder-as-gradient (silent)
import jax
import jax.numpy as jnp


def global_norm(tree):
    return jnp.sqrt(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(tree)))  # <-- here


w = {"a": jnp.full(2, 100.0), "b": jnp.ones(3)}
slots = jax.tree.map(lambda p: jax.new_ref(jnp.zeros_like(p)), w)
loss, pull = jax.vjp(lambda w: jnp.sum(w["a"] ** 2) + jnp.sum(w["b"]), w)
(bars,) = pull.with_refs(slots)(jnp.ones_like(loss))
scale = jnp.minimum(1.0, 1.0 / jnp.maximum(global_norm(bars), 1e-6))
assert scale == 1.0 and global_norm(jax.tree.map(lambda r: r[...], slots)) > 100.0
