# rule: grad-of-ref
import jax
import jax.numpy as jnp


def smoothness(field):
    return jnp.sum(jnp.diff(field[...]) ** 2)


field = jax.new_ref(jnp.sin(jnp.linspace(0, 3, 9)))
flow = jax.jit(jax.grad(smoothness))
for step in range(3):
    field[...] -= 0.1 * flow(field)  # <-- here
