# rule: checkpoint-impure (silent)
import functools

import jax
import jax.numpy as jnp


class Layer:
    def __init__(self):
        self.calls = jax.new_ref(jnp.int32(0))

    def tick(self):
        self.calls[...] += 1  # <-- here

    @functools.partial(jax.remat, static_argnums=0)
    def __call__(self, x):
        self.tick()
        return jnp.tanh(x) * x


layer = Layer()
for _ in range(3):
    jax.grad(layer)(0.5)
assert layer.calls[...] == 6
