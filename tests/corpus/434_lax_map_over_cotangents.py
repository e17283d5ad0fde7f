# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def stress(stiffness, strain):
    return stiffness[...] * strain + 0.1 * strain ** 3


stiffness = jax.new_ref(jnp.array([2.0, 3.0]))
sigma, stress_vjp = jax.vjp(stress, stiffness, jnp.array([0.1, 0.2]))
directions = jnp.eye(2)
bars = jax.lax.map(stress_vjp, directions)  # <-- here
print(sigma, bars)
