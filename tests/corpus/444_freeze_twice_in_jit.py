# rule: use-after-freeze
import jax
import jax.numpy as jnp


@jax.jit
def cumulative(xs):
    out = jax.new_ref(jnp.zeros_like(xs))

    def body(i, total):
        total = total + xs[i]
        out[i] = total
        return total

    jax.lax.fori_loop(0, xs.shape[0], body, 0.0)
    first = jax.freeze(out)
    return first, jax.freeze(out)[-1]  # <-- cause


cumulative(jnp.arange(5.0))  # <-- here
