# rule: none
import functools

import jax
import jax.numpy as jnp


@functools.singledispatch
def value_of(x):
    return jnp.asarray(x)


@value_of.register(jax.Ref)
def _(x):
    return x[...]


def scale(x, factor):
    match x:
        case jax.Ref():
            x[...] = x[...] * factor
            return x
        case list() | tuple():
            return type(x)(scale(item, factor) for item in x)
        case _:
            return x * factor


items = [jax.new_ref(jnp.ones(2)), 3.0, (jnp.zeros(1), jax.new_ref(jnp.ones(())))]
print([value_of(x) for x in scale(items, 2.0)[:2]], value_of(items[0]) + 1, jnp.cos(value_of(items[1])))
