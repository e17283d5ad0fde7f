# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def smooth(buf, x):
    return jnp.sum(buf[...] * x)


@jax.jit
def smoothness_gradient(x):
    spec = jax.ShapeDtypeStruct(x.shape, x.dtype)
    buf = jax.empty_ref(spec)
    buf[...] = jnp.cumsum(x)
    score, back = jax.vjp(smooth, buf, x)
    buf_bar, x_bar = back(jnp.ones_like(score))  # <-- here
    return score, x_bar


print(smoothness_gradient(jnp.arange(5.0)))
