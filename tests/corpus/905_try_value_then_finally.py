# rule: unbound-ref-gradient
import time

import jax
import jax.numpy as jnp


def timed_backward(back, ct, log):
    start = time.perf_counter()
    try:
        return back(ct)  # <-- here
    except KeyboardInterrupt:
        log.append("interrupted")
        raise
    finally:
        log.append(time.perf_counter() - start)


log = []
template = jax.new_ref(jnp.hanning(5))
score, back = jax.vjp(
    lambda t, s: jnp.max(jnp.correlate(s, t[...])), template, jnp.sin(jnp.arange(9.0)))
timed_backward(back, jnp.ones_like(score), log)
