import jax
import jax.numpy as jnp


@jax.jit
def decay(state, rate):
    # in place
    state[...] *= rate
    return state  # given back


state = jax.new_ref(jnp.ones(2))
for _ in range(2):
    state = decay(state, 0.5)
# meant: state[...] == jnp.full(2, 0.25)
