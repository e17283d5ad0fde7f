import jax
import jax.numpy as jnp


class Pendulum:
    def __init__(self):
        self.state = jax.new_ref(jnp.array([0.4, -1.0]))

    def energy(self, state, scale):
        theta, omega = state[0], state[1]
        return scale * (0.5 * omega**2 - jnp.cos(theta))

    def drift(self, direction):
        e, de = jax.jvp(
            self.energy,
            (self.state, 2.0),  # at the present state
            (direction, 0.0),
        )
        return de


de = Pendulum().drift(jnp.array([1.0, 0.5]))
# meant: de == 2.0 * (jnp.sin(0.4) - 0.5)
