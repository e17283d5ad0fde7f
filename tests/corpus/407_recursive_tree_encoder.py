# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

TREE = ("plus", ("times", "x", "y"), "z")
VOCAB = {w: i for i, w in enumerate(["plus", "times", "x", "y", "z"])}


def encode(table, node):
    if isinstance(node, str):
        return table[VOCAB[node]]
    op, left, right = node
    return jnp.tanh(table[VOCAB[op]] + encode(table, left) * encode(table, right))


def score(table, tree):
    return encode(table, tree).sum()


embedding = jax.new_ref(jnp.full((len(VOCAB), 3), 0.1))
s, back = jax.vjp(lambda t: score(t, TREE), embedding)
[table_bar] = back(jnp.ones_like(s))  # <-- here
embedding[...] += table_bar
