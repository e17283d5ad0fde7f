# rule: jit-closed-over-ref-rebound (silent)
import jax
import jax.numpy as jnp


class Metrics:
    def __init__(self):
        self.total = jax.new_ref(jnp.float32(0))
        self.add = jax.jit(self._add)

    def _add(self, x):
        self.total[...] += x

    def reset(self):
        self.total = jax.new_ref(jnp.float32(0))  # <-- here


m = Metrics()
m.add(2.0)
m.reset()
m.add(5.0)
assert m.total[...] == 0.0
