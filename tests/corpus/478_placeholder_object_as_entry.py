# rule: with-refs-structure
import jax
import jax.numpy as jnp


def ode_rhs(theta, y):
    return jnp.stack([y[1], -theta * y[0]])


theta_bar = jax.new_ref(0.0)
dy, back = jax.vjp(ode_rhs, 2.0, jnp.array([1.0, 0.0]))
cts = back.with_refs(theta_bar, jax.ad.DidntWant())(jnp.ones(2))  # <-- here
