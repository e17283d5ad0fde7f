# rule: stale-ref-api
import jax
import jax.numpy as jnp
from jax.experimental import mutable_array  # <-- here

counter = mutable_array(jnp.zeros((), jnp.int32))
counter[...] += 1
