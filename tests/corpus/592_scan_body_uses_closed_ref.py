# rule: ref-as-array
import jax
import jax.numpy as jnp


def filter_signal(signal):
    state = jax.new_ref(jnp.float32(0))

    def body(carry, x):
        state[...] = 0.5 * state[...] + x
        return carry + state, None  # <-- here

    return jax.lax.scan(body, 0.0, signal)


filter_signal(jnp.ones(3))
