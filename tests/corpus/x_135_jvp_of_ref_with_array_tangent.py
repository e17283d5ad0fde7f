# rule: forward-mode-of-ref
import jax
import jax.numpy as jnp


def pendulum_energy(state):
    theta, omega = state[0], state[1]  # <-- here
    return 0.5 * omega ** 2 - jnp.cos(theta)


state = jax.new_ref(jnp.array([0.3, 0.0]))
e, de = jax.jvp(pendulum_energy, (state,), (jnp.array([1.0, 0.0]),))
