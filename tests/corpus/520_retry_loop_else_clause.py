# rule: unbound-ref-gradient
import itertools
import jax
import jax.numpy as jnp


def line_search(x, fn, tries=3):
    f0, pull = jax.vjp(fn, x)
    for k in itertools.count():
        if k >= tries:
            break
        if f0 < 1e-9:
            return x
    else:
        raise AssertionError
    direction, = pull(jnp.ones_like(f0))  # <-- here
    x[...] -= 0.5 * direction
    return x


x0 = jax.new_ref(jnp.array([2.0, -3.0]))
line_search(x0, lambda x: jnp.sum(jnp.abs(x[...])))
