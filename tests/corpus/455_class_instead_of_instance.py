# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp


def lookup(table, ids):
    return table[ids].mean(0)


class SparseEmbedding:
    def __init__(self, rows, dim):
        self.table = jax.new_ref(jnp.ones((rows, dim)))

    def ids_only(self, ids):
        vec, back = jax.vjp(lookup, self.table, ids)
        skip = jax.ad.DontWant
        return back.with_refs(skip, skip())(jnp.ones_like(vec))  # <-- here


SparseEmbedding(4, 3).ids_only(jnp.array([1, 2]))
