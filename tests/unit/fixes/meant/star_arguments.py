import jax
import jax.numpy as jnp

refs = [jax.new_ref(jnp.float32(v)) for v in (1.0, 2.0, 3.0)]


def polynomial(a, b, c, x):
    return a[...] + b[...] * x + c[...] * x**2


y, back = jax.vjp(polynomial, *refs, jnp.float32(3.0))
*bars, x_bar = back(jnp.ones_like(y))
# meant: jnp.stack(bars) == jnp.array([1.0, 3.0, 9.0])
# meant: x_bar == 20.0
