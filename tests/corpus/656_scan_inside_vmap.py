# rule: vmap-closes-over-ref
import jax
import jax.numpy as jnp

peak = jax.new_ref(jnp.float32(0.0))


def simulate(x0):
    def step(x, _):
        x = 0.9 * x
        peak[...] = jnp.maximum(peak[...], x)  # <-- cause
        return x, x

    return jax.lax.scan(step, x0, None, length=4)[1]  # <-- here


paths = jax.vmap(simulate)(jnp.array([1.0, 2.0]))
