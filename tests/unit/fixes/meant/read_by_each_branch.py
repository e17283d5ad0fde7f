import jax
import jax.numpy as jnp


def choose(flag, ref, other):
    return jax.lax.cond(
        flag,
        lambda a, b: a[0] + b[1],
        lambda a, b: jnp.sum(b[...]) * a[1],
        ref,  # the state
        other,
    )


state = jax.new_ref(jnp.array([2.0, 3.0]))
first, second = choose(True, state, state), choose(False, state, state)
# meant: first == 5.0
# meant: second == 15.0
