# rule: bound-vjp-reused (silent)
import jax
import jax.numpy as jnp


class Linearization:
    def __init__(self, fn, x):
        self.value, back = jax.vjp(fn, x)
        self.pull = back.with_refs()

    def gradient(self, weight):
        return self.pull(weight * jnp.ones_like(self.value))[0]  # <-- here


lin = Linearization(jnp.sin, jnp.float32(0.0))
a, b = lin.gradient(1.0), lin.gradient(1.0)
assert a == 1.0 and b == 2.0
