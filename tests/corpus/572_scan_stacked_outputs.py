# rule: cotangent-structure
import jax
import jax.numpy as jnp


def simulate(k, x0):
    def step(x, _):
        x = x - 0.1 * k * x
        return x, x

    return jax.lax.scan(step, x0, None, length=5)


(x_end, path), back = jax.vjp(simulate, jnp.float32(1.0), jnp.float32(2.0))
k_bar, x0_bar = back((jnp.zeros_like(x_end), jnp.ones(4)))  # <-- here
