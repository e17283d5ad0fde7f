# rule: ref-as-array
import jax
import jax.numpy as jnp

best = jax.new_ref(jnp.full(3, jnp.inf))


def record(costs):
    best[...] = jnp.where(costs < best[...], costs, best)  # <-- here


record(jnp.array([3.0, 1.0, 2.0]))
