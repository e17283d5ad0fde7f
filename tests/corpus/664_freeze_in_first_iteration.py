# rule: use-after-freeze
import jax
import jax.numpy as jnp


def snapshots(x, n):
    state = jax.new_ref(x)
    out = []
    for i in range(n):
        state[...] = state[...] * 0.5  # <-- cause
        out.append(jax.freeze(state))  # <-- cause
    return jnp.stack(out)


jax.jit(snapshots, static_argnums=1)(jnp.ones(2), 3)  # <-- here
