# rule: gradient-ref-aliases-primal (silent)
import functools

import jax
import jax.numpy as jnp


@jax.jit
def backward(w, x):
    fn = functools.partial(jnp.multiply, x)
    value, back = jax.vjp(lambda r: fn(r[...]).sum(), w)
    back.with_refs(w)(jnp.float32(-0.1))  # <-- here
    return value


w = jax.new_ref(jnp.zeros(2))
values = [backward(w, jnp.ones(2)) for _ in range(3)]
assert values[0] == 0.0 and values[2] < values[1] < 0.0
