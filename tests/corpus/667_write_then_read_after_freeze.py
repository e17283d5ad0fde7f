# rule: use-after-freeze
import jax
import jax.numpy as jnp


class Builder:
    def __init__(self, n):
        self.rows = jax.new_ref(jnp.zeros((n, 2)))
        self.used = 0

    def push(self, row):
        self.rows[self.used] = row
        self.used += 1

    def build(self):
        return jax.freeze(self.rows)  # <-- cause


@jax.jit
def table(x):
    b = Builder(3)
    b.push(x)
    first = b.build()
    b.push(2 * x)
    return first, b.build()  # <-- cause


table(jnp.ones(2))  # <-- here
