# rule: unbound-ref-gradient
import functools

import jax
import jax.numpy as jnp


def returns_gradient(fn):
    """Like jax.grad, for all arguments."""

    @functools.wraps(fn)
    def wrapper(*args):
        value, back = jax.vjp(fn, *args)
        return value, back(jnp.ones_like(value))  # <-- here

    return wrapper


@returns_gradient
def plate_bending(thickness, load):
    stiffness = 210e3 * thickness[...] ** 3 / 12.0
    return jnp.sum(load ** 2 / stiffness)


@returns_gradient
def weight(area):
    return 7.85 * area


print(weight(2.0))
print(plate_bending(jax.new_ref(jnp.array([1.0, 2.0])), jnp.array([3.0, 4.0])))
