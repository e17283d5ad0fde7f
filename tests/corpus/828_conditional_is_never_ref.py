# rule: none
import jax
import jax.numpy as jnp

USE_REFS = False


def make(value):
    if USE_REFS:
        return jax.new_ref(value)
    return value


def loss(w, x):
    return jnp.sum(w[...] * x)


w = make(jnp.ones(3))
value, back = jax.vjp(loss, w, jnp.arange(3.0))
print(back(1.0), jax.grad(loss)(w, jnp.arange(3.0)))
