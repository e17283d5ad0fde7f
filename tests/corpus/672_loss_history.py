# rule: tainted-ref-write
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, steps):
        self.history = jax.new_ref(jnp.zeros(steps))

    def loss(self, w, step):
        value = jnp.sum((w - 3.0) ** 2)
        self.history[step] = value  # <-- here
        return value

    def run(self, w, steps):
        for step in range(steps):
            w = w - 0.1 * jax.grad(self.loss)(w, step)
        return w


Trainer(3).run(jnp.zeros(2), 3)
