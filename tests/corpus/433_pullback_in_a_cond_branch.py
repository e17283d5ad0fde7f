# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp
from jax import lax


def control_cost(gain, state):
    u = -gain[...] * state
    return state ** 2 + 0.1 * u ** 2


def maybe_adapt(gain, state):
    cost, back = jax.vjp(control_cost, gain, state)

    def adapt():
        g, _ = back(jnp.float32(1.0))  # <-- here
        return g

    return lax.cond(cost > 0.5, adapt, lambda: jnp.float32(0.0))


gain = jax.new_ref(jnp.float32(0.8))
gain[...] -= 0.1 * maybe_adapt(gain, jnp.float32(1.5))
