# rule: freeze-in-other-scope
import functools

import jax
import jax.numpy as jnp


class Accumulator:
    def __init__(self, n):
        self.ref = jax.new_ref(jnp.zeros(n))

    @functools.partial(jax.jit, static_argnums=0)
    def finish(self):
        return jax.freeze(self.ref)  # <-- cause


acc = Accumulator(2)
acc.ref[0] = 1.0
print(acc.finish())  # <-- here
