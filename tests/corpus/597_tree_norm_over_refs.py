# rule: ref-as-array
# also: ref-aliased
import jax
import jax.numpy as jnp

params = [jax.new_ref(jnp.ones(2)), {"b": jax.new_ref(jnp.zeros(3))}]


def global_norm(tree):
    return jnp.sqrt(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(tree)))  # <-- here


print(global_norm(jax.tree.map(lambda r: r[...], params)))
print(global_norm(params))
