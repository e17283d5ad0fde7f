# rule: none
import jax
import jax.numpy as jnp


def check_no_refs(tree):
    for path, leaf in jax.tree_util.tree_leaves_with_path(tree):
        if isinstance(leaf, jax.Ref):
            raise TypeError(f"{jax.tree_util.keystr(path)} is a ref")
    return tree


def gradient(fn, tree):
    value, pull = jax.vjp(fn, check_no_refs(tree))
    return pull(jnp.ones_like(value))[0]


def norm(tree):
    return jnp.sqrt(sum(jnp.vdot(l, l) for l in jax.tree.leaves(tree)))


state = {"w": jax.new_ref(jnp.ones(2)), "b": jnp.zeros(1)}
try:
    print(gradient(norm, state))
except TypeError as error:
    print(error)
    state = {k: v[...] for k, v in state.items()}
print(gradient(norm, state))
