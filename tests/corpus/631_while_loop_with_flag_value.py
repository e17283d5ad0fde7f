# rule: none
import jax
import jax.numpy as jnp


def bisect(f, lo, hi, tol=1e-3):
    evaluations = jax.new_ref(0)
    running = jax.new_ref(jnp.bool_(True))
    while bool(running[...]):
        mid = 0.5 * (lo + hi)
        evaluations[...] += 1
        lo, hi = (mid, hi) if f(mid) < 0 else (lo, mid)
        running[...] = jnp.bool_(hi - lo > tol)
        if evaluations[...] == 60 or not running[...]:
            break
    return mid, int(evaluations[...])


def traced(x):
    n = jax.new_ref(0)

    def body(v):
        n[...] += 1
        return v / 2

    out = jax.lax.while_loop(lambda v: v > 1.0, body, x)
    return out, n[...]


print(bisect(lambda x: x * x - 2.0, 0.0, 2.0), jax.jit(traced)(100.0))
