# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp
import numpy as np


class HostAccumulator:
    """Keeps the sum on the host."""

    def __init__(self, shape):
        self.total = np.zeros(shape, dtype=np.float32)

    def __call__(self, pullback, ct):
        return pullback.with_refs(self.total)(ct)  # <-- here


weights = jax.new_ref(jnp.linspace(0.0, 1.0, 6))
acc = HostAccumulator(6)
value, pullback = jax.vjp(lambda w: jnp.log1p(w[...]).sum(), weights)
acc(pullback, jnp.ones(()))
