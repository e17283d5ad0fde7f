# rule: gradient-ref-type
import jax
import jax.numpy as jnp


class GrowingEmbedding:
    def __init__(self, n, d):
        self.table = jnp.ones((n, d))
        self.grad = jax.new_ref(jnp.zeros((n, d)))

    def grow(self, extra):
        pad = jnp.zeros((extra, self.table.shape[1]))
        self.table = jnp.concatenate([self.table, pad])

    def backward(self, ids):
        out, pull = jax.vjp(lambda t: t[ids].sum(), self.table)
        pull.with_refs(self.grad)(1.0)  # <-- here


emb = GrowingEmbedding(3, 2)
emb.backward(jnp.array([0, 1]))
emb.grow(2)
emb.backward(jnp.array([4]))
