import jax
import jax.numpy
import jax.numpy as jnp


@jax.jit
def fold(target, first, second, *, weight):
    target[...] += first[...] * weight + second[
        ...]


total = jax.new_ref(jnp.arange(2.0))
fold(total, total,  # once more
     total, weight=2.0)
# meant: total[...] == 4.0 * jnp.arange(2.0)
