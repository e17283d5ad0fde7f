import jax
import jax.numpy as jnp

state = jax.new_ref(jnp.array([2.0, 3.0]))


def step(state, x):
    state[...] = state[...] * x
    return jnp.sum(state[...] ** 2)


out, back = jax.vjp(step, state, jnp.float32(2.0))
state_bar, x_bar = back(1.0)
# meant: state_bar == 8.0 * jnp.array([2.0, 3.0])
# meant: x_bar == 2.0 * 2.0 * 13.0
