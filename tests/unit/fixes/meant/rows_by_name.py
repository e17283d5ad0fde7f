import jax
import jax.numpy as jnp

norms = jax.new_ref(jnp.zeros(2))


def scale(x, /, y):
    norms[...] -= x * y; return x


xs = jax.vmap(scale)(
    jnp.ones((3, 2)),
    y=jnp.full((3, 2), 2.0),  # weights
)
# meant: norms[...] == jnp.array([-6.0, -6.0])
