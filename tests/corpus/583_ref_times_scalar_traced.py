# rule: ref-as-array
import jax
import jax.numpy as jnp


@jax.jit
def decay(velocity, grad):
    velocity[...] = velocity * 0.9 + grad  # <-- here


decay(jax.new_ref(jnp.zeros(3)), jnp.ones(3))
