# rule: grad-of-ref
import jax
import jax.numpy as jnp


class Pendulum:
    length = 2.0

    def __init__(self, angle):
        self.angle = jax.new_ref(jnp.float32(angle))
        self.dV = jax.grad(self.potential)

    def potential(self, angle):
        return -9.81 * self.length * jnp.cos(angle[...])

    def step(self, omega, dt):
        torque = -self.dV(self.angle)  # <-- here
        self.angle[...] += dt * omega
        return omega + dt * torque


Pendulum(0.3).step(0.0, 0.01)
