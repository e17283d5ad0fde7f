# rule: ref-as-array
import jax
import jax.numpy as jnp

friction = jax.new_ref(jnp.float32(0.2))


def slide(x0, v0, n=4, dt=0.1):
    x, v = x0, v0
    for _ in range(n):
        v = v - dt * friction * v  # <-- here
        x = x + dt * v
    return x


final, pull = jax.vjp(slide, 0.0, 1.0)
pull(1.0)
