# rule: ref-in-debug-print
import jax
import jax.numpy as jnp


class BeliefTracker:
    def __init__(self, n):
        self.belief = jax.new_ref(jnp.full(n, 1.0 / n))

    def observe(self, likelihood):
        post = self.belief[...] * likelihood
        self.belief[...] = post / post.sum()
        jax.debug.print("belief is now {b}", b=self.belief)  # <-- here


BeliefTracker(3).observe(jnp.array([0.1, 0.2, 0.7]))
