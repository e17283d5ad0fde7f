# rule: ref-returned
from typing import NamedTuple

import jax
import jax.numpy as jnp


class SimState(NamedTuple):
    t: jax.Array
    field: jax.Ref
    history: jax.Array


def laplacian(u):
    return jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)


@jax.jit
def advance(state: SimState, dt: float) -> SimState:
    u = state.field[...]
    state.field[...] = u + dt * laplacian(u)
    history = state.history.at[state.t.astype(int)].set(u.max())
    return state._replace(t=state.t + 1, history=history)  # <-- cause


state = SimState(jnp.float32(0), jax.new_ref(jnp.zeros(8).at[4].set(1.0)), jnp.zeros(10))
for _ in range(3):
    state = advance(state, 0.1)  # <-- here
