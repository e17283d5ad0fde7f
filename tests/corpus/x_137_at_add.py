# rule: ref-at-method
import jax
import jax.numpy as jnp

counts = jax.new_ref(jnp.zeros(4))


def tally(i):
    counts.at[i].add(1.0)  # <-- here


tally(2)
