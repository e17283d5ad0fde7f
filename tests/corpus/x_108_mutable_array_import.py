# rule: stale-ref-api
import jax.numpy as jnp
from jax.experimental import mutable_array  # <-- here

grid = mutable_array(jnp.zeros((4, 4)))
grid[1, 2] = 3.0
