# rule: ref-aliased
import jax
import jax.numpy as jnp


@jax.checkpoint
def residual(x, scale_in, scale_out):
    return x + scale_out[...] * jnp.tanh(scale_in[...] * x)


scale = jax.new_ref(jnp.float32(0.5))


def loss(x):
    for _ in range(2):
        x = residual(x, scale, scale)  # <-- here
    return jnp.sum(x)


jax.grad(loss)(jnp.ones(3))
