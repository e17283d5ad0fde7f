# rule: ref-as-array
import jax
import jax.numpy as jnp


def describe(x):
    try:
        return float(jnp.max(x))  # <-- here
    except (TypeError, ValueError):
        return float(jnp.max(x[...]))


print(describe(jnp.arange(3.0)), describe(jax.new_ref(jnp.arange(3.0))))
