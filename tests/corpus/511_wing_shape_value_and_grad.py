# rule: grad-of-ref
import jax
import jax.numpy as jnp


def lift(chord, twist):
    return jnp.trapezoid(chord[...] * jnp.sin(twist), dx=0.5)


class WingOptimizer:
    def __init__(self, stations):
        self.chord = jax.new_ref(jnp.linspace(1.0, 0.4, stations))
        self.twist = jnp.full(stations, 0.1)
        self.value_and_grad = jax.value_and_grad(lift)

    def improve(self, lr=0.01):
        value, g = self.value_and_grad(self.chord, self.twist)  # <-- here
        self.chord[...] += lr * g
        return value


WingOptimizer(5).improve()
