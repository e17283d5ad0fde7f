# rule: forward-mode-of-ref
import jax
import jax.numpy as jnp


def residual(q):
    return jnp.sin(q[...]) - 0.5  # <-- here


q = jax.new_ref(jnp.zeros(3))
J = jax.jacfwd(residual)(q)
q[...] -= jnp.linalg.solve(J, residual(q))
