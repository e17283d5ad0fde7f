# rule: use-after-freeze
import jax
import jax.numpy as jnp


@jax.jit
def trajectory(x):
    state = jax.new_ref(x)
    path = []
    for _ in range(3):
        state[...] = jnp.cos(state[...])  # <-- cause
        path.append(jax.freeze(state))  # <-- cause
    return jnp.stack(path)


trajectory(jnp.float32(0.5))  # <-- here
