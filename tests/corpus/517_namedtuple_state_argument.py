# rule: grad-of-ref
from typing import NamedTuple

import jax
import jax.numpy as jnp


class TrainState(NamedTuple):
    kernel: jax.Array
    ema: jax.Ref


def regularised(state: TrainState, x):
    return jnp.sum(x @ state.kernel) + jnp.sum((state.kernel - state.ema[...]) ** 2)


state = TrainState(kernel=jnp.ones((2, 2)), ema=jax.new_ref(jnp.zeros((2, 2))))
grads = jax.grad(regularised)(state, jnp.ones(2))  # <-- here
state = state._replace(kernel=state.kernel - 0.1 * grads.kernel)
