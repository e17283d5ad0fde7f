# rule: ref-as-array
import jax
import jax.numpy as jnp


class Integrator:
    def __init__(self, pos, vel, force):
        self.pos, self.vel = jax.new_ref(pos), jax.new_ref(vel)
        self.force = force

    def step(self, dt):
        a = self.force(self.pos[...])
        self.pos[...] += dt * self.vel[...] + 0.5 * dt ** 2 * a
        b = self.force(self.pos)
        self.vel[...] += 0.5 * dt * (a + b)


Integrator(jnp.array([1.0, 0.0]), jnp.zeros(2), lambda q: -q).step(0.1)  # <-- here
