# rule: gradient-ref-not-fresh (silent)
import jax
import jax.numpy as jnp


def step(state, x):
    state[...] = 2.0 * state[...]
    return state[...] * x


state_bar = jax.new_ref(jnp.float32(0.0))
grads = []
for x in (1.0, 1.0):
    out, back = jax.vjp(step, jax.new_ref(jnp.float32(1.0)), x)
    back.with_refs(state_bar, jax.ad.DontWant())(jnp.ones_like(out))  # <-- here
    grads.append(float(state_bar[...]))
assert grads == [2.0, 6.0]  # a sum would be 4
