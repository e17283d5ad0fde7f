# rule: none
import jax
import jax.numpy as jnp

TRAINABLE = {"head", "norm"}
params = {"stem": {"w": jnp.eye(2)}, "norm": {"g": jnp.ones(2)}, "head": {"w": jnp.ones(2)}}


def entries_for(params):
    def entry(path, leaf):
        if path[0].key in TRAINABLE:
            return jax.new_ref(jnp.zeros_like(leaf))
        return jax.ad.DontWant()

    return jax.tree_util.tree_map_with_path(entry, params)


def net(p, x):
    return jnp.tanh(x @ p["stem"]["w"]) * p["norm"]["g"] @ p["head"]["w"]


entries = entries_for(params)
y, pull = jax.vjp(net, params, jnp.ones(2))
pull.with_refs(entries, jax.ad.GradValue())(jnp.ones_like(y))
for name in TRAINABLE:
    params[name] = jax.tree.map(lambda p, r: p - 0.1 * r[...], params[name], entries[name])
print(params)
