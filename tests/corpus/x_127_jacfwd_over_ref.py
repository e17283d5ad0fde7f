# rule: forward-mode-of-ref
import jax
import jax.numpy as jnp


def kinematics(q):
    return jnp.stack([jnp.cos(q[0]), jnp.sin(q[1])])  # <-- here


J = jax.jacfwd(kinematics)(jax.new_ref(jnp.array([0.1, 0.2])))
