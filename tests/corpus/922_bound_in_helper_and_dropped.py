# rule: unapplied-with-refs (silent)
import jax
import jax.numpy as jnp


class Accumulator:
    def __init__(self, params):
        self.refs = jax.tree.map(lambda p: jax.new_ref(jnp.zeros_like(p)), params)
        self.count = 0

    def add(self, pullback):
        pullback.with_refs(self.refs)  # <-- here
        self.count += 1

    def mean(self):
        return jax.tree.map(lambda r: r[...] / max(self.count, 1), self.refs)


params = {"w": jnp.ones(2)}
acc = Accumulator(params)
for x in jnp.ones((4, 2)):
    loss, pullback = jax.vjp(lambda p: jnp.vdot(p["w"], x), params)
    acc.add(pullback)
assert acc.count == 4 and not acc.mean()["w"].any()
