import jax
import jax.numpy as jnp

state = {'x': jax.new_ref(jnp.ones(2)), "y": jax.new_ref(jnp.zeros(2))}


def update(flag):
    def grow(s):
        s['x'][...] += state['x'][...]  # doubles
        return s['x'][0]

    return jax.lax.cond(flag, grow, lambda s: state["y"][0] + s['x'][1], state)


first, second = update(True), update(False)
# meant: first == 2.0
# meant: second == 2.0
