# rule: ref-at-method
import jax
import jax.numpy as jnp


@jax.jit
def relax(dist, u, w):
    return dist.at[u].min(w)  # <-- here


relax(jax.new_ref(jnp.full(3, jnp.inf)), 1, 2.0)
