# rule: leaked-ref
import jax
import jax.numpy as jnp

_SCRATCH = {}


def scratch(n):
    if n not in _SCRATCH:
        _SCRATCH[n] = jax.new_ref(jnp.zeros(n))  # <-- cause
    return _SCRATCH[n]


@jax.jit
def blur(img):
    buf = scratch(img.shape[0])
    buf[...] = 0.5 * (img + jnp.roll(img, 1))
    return buf[...]


blur(jnp.ones(4))
print(scratch(4)[...])  # <-- here
