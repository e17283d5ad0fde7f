# rule: ref-in-debug-print
import jax
import jax.numpy as jnp


class Counter:
    def __init__(self):
        self.n = jax.new_ref(0)

    def show(self):
        jax.debug.print("n = {n}", n=self.n)  # <-- here


counter = Counter()
counter.n[...] += 1
counter.show()
