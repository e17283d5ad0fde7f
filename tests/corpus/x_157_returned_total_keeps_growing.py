# rule: write-after-freeze (silent)
import jax
import jax.numpy as jnp


class Meter:
    def __init__(self):
        self.total = jax.new_ref(jnp.float32(0))

    def add(self, x):
        self.total[...] += x  # <-- here

    def read(self):
        return jax.freeze(self.total)


meter = Meter()
meter.add(1.0)
first = meter.read()
meter.add(10.0)
assert first == 11.0  # the value read was 1
