# rule: use-after-freeze
import jax
import jax.numpy as jnp


def prefix_sums(xs):
    buf = jax.new_ref(jnp.zeros(xs.shape[0] + 1))

    def body(i, _):
        buf[i + 1] = buf[i] + xs[i]
        return _

    jax.lax.fori_loop(0, xs.shape[0], body, None)
    frozen = jax.freeze(buf)
    return frozen, buf[-1]  # <-- cause


sums, total = jax.jit(prefix_sums)(jnp.arange(4.0))  # <-- here
