# rule: stale-ref-api
import jax
import jax.numpy as jnp


def read(x):
    if isinstance(x, jax.ArrayRef):  # <-- here
        return x[...]
    return x


print(read(jnp.ones(2)), read(jax.new_ref(jnp.ones(2))))
