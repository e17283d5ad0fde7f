# rule: forward-mode-of-ref
import jax
import jax.numpy as jnp


def kinetic(velocity):
    return 0.5 * jnp.sum(velocity[...] ** 2)  # <-- here


velocity = jax.new_ref(jnp.ones(3))
e, de = jax.jvp(kinetic, (velocity,), (jnp.ones(3),))
