# rule: use-after-freeze
import jax
import jax.numpy as jnp


@jax.jit
def prefix_sums(xs):
    acc = jax.new_ref(jnp.zeros_like(xs))
    for i in range(1, xs.shape[0]):
        acc[i] = acc[i - 1] + xs[i - 1]
    mean = jax.freeze(acc).mean()
    return jax.freeze(acc) - mean  # <-- cause


prefix_sums(jnp.ones(4))  # <-- here
