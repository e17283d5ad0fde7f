# rule: none
import jax
import jax.numpy as jnp
import numpy as np


def pull(fn, *primals, seed=None):
    out, back = jax.vjp(fn, *primals)
    if seed is None:
        seed = jax.tree.map(lambda o: jnp.ones(o.shape, o.dtype), out)
    return back(seed)


print(pull(lambda x: x.astype(jnp.bfloat16), jnp.ones(2)))
print(pull(lambda x: (x, [x * 2, {"s": x.sum()}]), jnp.ones(2)))
print(pull(jnp.sin, 0.5, seed=1.0), pull(jnp.sin, 0.5, seed=np.float64(2.0)))
print(pull(lambda x: (x * 2.0, jnp.argmax(x)), jnp.ones(3), seed=(jnp.ones(3), 0)))
print(pull(lambda x: jnp.fft.fft(x), jnp.ones(2), seed=jnp.ones(2, jnp.complex64)))
