# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp
from jax import lax

thr = jax.new_ref(jnp.float32(0.5))


@jax.jit
def maybe_update(x, enabled):
    def yes(x):
        err, pull = jax.vjp(lambda t: (x - t[...]) ** 2, thr)
        g, = pull(1.0)  # <-- here
        thr[...] -= 0.1 * g
        return err

    return lax.cond(enabled, yes, lambda x: jnp.zeros_like(x), x)


maybe_update(1.0, True)
