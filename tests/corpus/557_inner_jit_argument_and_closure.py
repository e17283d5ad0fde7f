# rule: ref-aliased
import jax
import jax.numpy as jnp

log = jax.new_ref(jnp.zeros(4))


def simulate(x0, log_arg):
    @jax.jit
    def advance(t, x, out):
        out[t] = x
        log[0] = log[0] + 1.0
        return 0.5 * x

    x = x0
    for t in range(4):
        x = advance(t, x, log_arg)  # <-- here
    return x


simulate(1.0, log)
