# rule: bound-vjp-reused (silent)
"""Influence of each output on the input, by one bound pullback for all outputs."""
import jax
import jax.numpy as jnp


class Attribution:
    def __init__(self, model, x):
        self.y, pull = jax.vjp(model, x)
        self.pull = pull.with_refs(jax.ad.GradValue())

    def one(self, i):
        ct = jax.nn.one_hot(i, self.y.size, dtype=self.y.dtype)
        (bar,) = self.pull(ct)  # <-- here
        return bar

    def all(self):
        return {i: self.one(i) for i in range(self.y.size)}


W = jnp.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
scores = Attribution(lambda x: W @ x, jnp.ones(2)).all()
assert jnp.allclose(scores[0], W[0]) and not jnp.allclose(scores[1], W[1])
