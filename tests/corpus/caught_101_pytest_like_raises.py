# rule: grad-of-ref
import contextlib

import jax
import jax.numpy as jnp


@contextlib.contextmanager
def raises(kind):
    try:
        yield
    except kind as error:
        print("raised as expected:", error)
    else:
        raise AssertionError(f"{kind.__name__} was not raised")


w = jax.new_ref(jnp.ones(2))
with raises(TypeError):
    jax.grad(lambda w: jnp.sum(w[...]))(w)  # <-- here
