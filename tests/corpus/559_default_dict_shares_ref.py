# rule: ref-aliased
import jax
import jax.numpy as jnp

slots = dict.fromkeys(("momentum", "variance"), jax.new_ref(jnp.zeros(3)))


@jax.jit
def adam_update(slots, g):
    slots["momentum"][...] = 0.9 * slots["momentum"][...] + 0.1 * g
    slots["variance"][...] = 0.999 * slots["variance"][...] + 0.001 * g * g


adam_update(slots, jnp.ones(3))  # <-- here
