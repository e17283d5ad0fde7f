# rule: none
from functools import singledispatch
import jax
import jax.numpy as jnp


@singledispatch
def descend(param, grad, lr):
    raise TypeError(type(param))


@descend.register(jax.Array)
def _(param, grad, lr):
    return param - lr * grad


@descend.register(jax.Ref)
def _(param, grad, lr):
    param[...] = param[...] - lr * grad
    return param


values = [jnp.ones(2), jax.new_ref(jnp.ones(2))]
values = [descend(v, jnp.arange(2.0), 0.5) for v in values]
print(values[0] + 1.0, values[1][...] + 1.0)
