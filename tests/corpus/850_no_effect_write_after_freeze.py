# rule: none
import jax
import jax.numpy as jnp


@jax.jit
def snapshot_then_clear(x):
    acc = jax.new_ref(jnp.zeros_like(x))
    acc[...] += 2.0 * x
    total = jax.freeze(acc)
    acc[...] = jnp.zeros_like(x)
    return total


print(snapshot_then_clear(jnp.ones(3)))
