# rule: ref-index
import jax
import jax.numpy as jnp


def reset_dead(usage):
    dead = usage[...] < 0.1
    usage[dead] = jnp.ones(3)  # <-- here
    return dead.sum()


reset_dead(jax.new_ref(jnp.array([0.0, 0.5, 0.05])))
