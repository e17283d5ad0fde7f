# rule: none
import jax
import jax.numpy as jnp


def to_refs(tree):
    if isinstance(tree, dict):
        return {k: to_refs(v) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(map(to_refs, tree))
    return jax.new_ref(jnp.asarray(tree))


def to_values(tree):
    if isinstance(tree, dict):
        return {k: to_values(v) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(map(to_values, tree))
    return tree[...]


refs = to_refs({"layers": [(jnp.ones(2), 0.0), (jnp.ones(2), 1.0)], "scale": 2.0})
grads = jax.grad(lambda v: v["scale"] * sum(jnp.sum(w) + b for w, b in v["layers"]))(to_values(refs))
print(grads["scale"], to_values(refs)["scale"] + 1.0)
