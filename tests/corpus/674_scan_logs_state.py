# rule: tainted-ref-write
import jax
import jax.numpy as jnp


def energy_drift(theta, log):
    def step(state, i):
        q, p = state
        p = p - 0.1 * theta * q
        q = q + 0.1 * p
        log[i] = 0.5 * (p ** 2 + theta * q ** 2)  # <-- cause
        return (q, p), None

    (q, p), _ = jax.lax.scan(step, (1.0, 0.0), jnp.arange(4))  # <-- here
    return q ** 2


log = jax.new_ref(jnp.zeros(4))
jax.grad(energy_drift)(jnp.float32(1.0), log)
