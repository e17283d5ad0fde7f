# rule: ref-aliased
import jax
import jax.numpy as jnp


class Filter:
    def __init__(self, taps):
        self.taps = jax.new_ref(taps)
        self.step = jax.jit(self._step)

    def _step(self, taps, x):
        taps[...] = 0.9 * self.taps[...] + 0.1 * x  # <-- cause

    def run(self, xs):
        for x in xs:
            self.step(self.taps, x)  # <-- here


Filter(jnp.zeros(3)).run(jnp.ones((2, 3)))
