# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


def reservoir(leak, state, inputs):
    def tick(carry, u):
        new = (1.0 - leak) * state[...] + leak * jnp.tanh(u)
        state[...] = new  # <-- cause
        return carry + new, None

    total, _ = jax.lax.scan(tick, jnp.float32(0.0), inputs)
    return total


state = jax.new_ref(jnp.float32(0.1))
total, back = jax.vjp(reservoir, 0.3, state, jnp.linspace(0, 1, 6))
skip = jax.ad.DontWant()
leak_bar, _, _ = back.with_refs(jax.ad.GradValue(), skip, skip)(1.0)  # <-- here
