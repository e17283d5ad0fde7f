# rule: tainted-ref-write
import jax
import jax.numpy as jnp

intermediates = {}


def sow(name, value):
    if name not in intermediates:
        intermediates[name] = jax.new_ref(jnp.zeros_like(value))
    intermediates[name][...] = value  # <-- here
    return value


def potential(r):
    r2 = sow("r2", r * r)
    return 1.0 / r2 ** 6 - 1.0 / r2 ** 3


potential(jnp.float32(1.1))
jax.jvp(potential, (jnp.float32(1.1),), (jnp.float32(1.0),))
