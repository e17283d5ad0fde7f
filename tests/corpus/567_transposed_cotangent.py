# rule: cotangent-structure
import jax
import jax.numpy as jnp

A = jnp.arange(6.0).reshape(2, 3)


def kron_apply(x):
    return A @ x @ A.T


y, back = jax.vjp(kron_apply, jnp.ones((3, 3)))
z, back2 = jax.vjp(lambda x: A @ x, jnp.ones((3, 4)))
back(y.T)
(x_bar,) = back2(z.T)  # <-- here
