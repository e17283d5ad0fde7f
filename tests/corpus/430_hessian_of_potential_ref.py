# rule: grad-of-ref
import jax
import jax.numpy as jnp


def potential(q):
    return jnp.sum(q[...] ** 4) - q[0] * q[1]


coords = jax.new_ref(jnp.array([0.3, -0.2]))
curvature = jax.hessian(potential)
modes = jnp.linalg.eigvalsh(curvature(coords))  # <-- here
