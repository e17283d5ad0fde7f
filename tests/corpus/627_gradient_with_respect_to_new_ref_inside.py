# rule: none
import jax
import jax.numpy as jnp


class Simulator:
    def __init__(self, mass):
        self.mass = jax.new_ref(jnp.float32(mass))

    def rollout(self, mass, force):
        vel = jax.new_ref(jnp.zeros(()))
        for f in force:
            vel[...] += 0.1 * f / mass[...]
        return vel[...]

    def sensitivity(self, force):
        def of_value(m):
            return self.rollout(jax.new_ref(m), force)
        return jax.grad(of_value)(self.mass[...])


sim = Simulator(2.0)
print(sim.sensitivity(jnp.ones(4)), jax.grad(lambda f: sim.rollout(sim.mass, f))(jnp.ones(4)))
