# rule: grad-of-ref
import jax
import jax.numpy as jnp


@jax.grad
def free_energy(state, temperature):
    mean, logvar = state
    entropy = 0.5 * jnp.sum(logvar[...])
    return jnp.sum(mean ** 2) - temperature * entropy


state = (jnp.zeros(2), jax.new_ref(jnp.zeros(2)))
d_mean, d_logvar = free_energy(state, 1.0)  # <-- here
