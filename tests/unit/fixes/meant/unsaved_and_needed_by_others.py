import jax
import jax.numpy as jnp


def gate(u, v):
    return u * v


def layer(w, x, bias, scale):
    return jnp.sum(gate(x, bias) * w) * scale


arguments = [jnp.ones(2), jnp.arange(2.0)]
bias = jnp.array([3.0, 4.0])
y, f_vjp = jax.vjp(layer, *arguments, bias, 2.0, saveable_args=False)
w_bar, x_bar, bias_bar, _ = f_vjp(1.0)
# meant: w_bar == 2.0 * arguments[1] * bias
# meant: x_bar == 2.0 * bias
# meant: bias_bar == 2.0 * arguments[1]
