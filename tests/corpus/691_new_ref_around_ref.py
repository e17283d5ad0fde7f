# rule: ref-of-ref
import jax
import jax.numpy as jnp


def as_parameter(x, trainable=True):
    x = jnp.asarray(x) if not isinstance(x, jax.Ref) else x
    return jax.new_ref(x) if trainable else x  # <-- here


w = as_parameter([1.0, 2.0])
w[0] = 3.0
w = as_parameter(w)
