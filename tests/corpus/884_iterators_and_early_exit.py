# rule: none
import itertools

import jax
import jax.numpy as jnp


def descend(fn, x0, tol):
    x = jax.new_ref(x0)
    for step in itertools.count():
        value, back = jax.vjp(fn, x[...])
        (g,) = back(jnp.ones_like(value))
        if jnp.linalg.norm(g) < tol or step > 50:
            break
        x[...] -= 0.2 * g
    else:
        raise RuntimeError("never")
    return jax.freeze(x), step


print(descend(lambda x: jnp.sum((x - 1.0) ** 2), jnp.zeros(2), 1e-3))
