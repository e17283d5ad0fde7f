import jax
import jax.numpy as jnp

gain = jax.new_ref(jnp.float32(2.0))
offset = jnp.float32(1.0)
out, back = jax.vjp(lambda p, x: jnp.sum(p["gain"][...] * x + p["offset"]), {"gain": gain, "offset": offset}, jnp.arange(3.0))
parameters_bar, x_bar = back(jnp.ones_like(out))
# meant: parameters_bar["gain"] == 3.0
# meant: parameters_bar["offset"] == 3.0
# meant: x_bar == jnp.full(3, 2.0)
