import jax
import jax.numpy as jnp

rate = jax.new_ref(jnp.float32(0.5))
y, back = jax.vjp(lambda r, t: jnp.exp(-r[...] * t), rate, jnp.arange(3.0))
rate_bar, t_bar = jax.jit(back)(jnp.ones(3))
# meant: rate_bar == jnp.sum(-jnp.arange(3.0) * jnp.exp(-0.5 * jnp.arange(3.0)))
# meant: t_bar == -0.5 * jnp.exp(-0.5 * jnp.arange(3.0))
