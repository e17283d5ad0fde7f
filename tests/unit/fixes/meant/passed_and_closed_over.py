import jax
import jax.numpy as jnp


class Filter:
    def __init__(self, taps):
        self.taps = {'fast': jax.new_ref(taps), 'slow': jax.new_ref(taps)}

    def run(self, xs):
        def step(taps, x):
            taps['fast'][...] = 0.5 * self.taps['fast'][...] + x  # both names
            taps['slow'][...] = 0.9 * self.taps['slow'][...] + [
                x for _ in self.taps][0]

        jitted = jax.jit(step)
        for x in xs: jitted(self.taps, x)
        return self.taps['fast'][...]


value = Filter(jnp.zeros(3)).run(jnp.ones((2, 3)))
# meant: value == jnp.full(3, 1.5)
