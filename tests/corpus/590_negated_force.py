# rule: ref-as-array
import jax
import jax.numpy as jnp


def integrate(position, force, dt=0.1):
    accel = -force  # <-- here
    position[...] += dt * accel


integrate(jax.new_ref(jnp.zeros(3)), jnp.ones(3))
integrate(jax.new_ref(jnp.zeros(3)), jax.new_ref(jnp.ones(3)))
