# rule: unbound-ref-gradient
"""Policy gradient with parameters looked up by path in a store."""
import jax
import jax.numpy as jnp


class ParamStore:
    def __init__(self):
        self._tree = {}

    def declare(self, path, shape, scale=0.1):
        *groups, leaf = path.split("/")
        node = self._tree
        for g in groups:
            node = node.setdefault(g, {})
        node[leaf] = jax.new_ref(scale * jnp.ones(shape))

    def __getitem__(self, path):
        node = self._tree
        for part in path.split("/"):
            node = node[part]
        return node


def log_prob(policy, obs, action):
    h = jnp.tanh(obs @ policy["hidden"]["w"][...])
    return jax.nn.log_softmax(h @ policy["out"]["w"][...])[action]


def reinforce(store, trajectory, lr=0.01):
    for obs, action, ret in trajectory:
        logp, back = jax.vjp(log_prob, store["policy"], obs, action)
        grads, *_ = back(jnp.asarray(-ret, logp.dtype))  # <-- here
        jax.tree.map(lambda p, g: p.addupdate(-lr * g), store["policy"], grads)


store = ParamStore()
store.declare("policy/hidden/w", (3, 4))
store.declare("policy/out/w", (4, 2))
store.declare("value/w", (3,))
reinforce(store, [(jnp.ones(3), 0, 1.0), (jnp.zeros(3), 1, -0.5)])
