import jax
import jax.numpy as jnp


def layer(w, x):
    return jnp.sum(jnp.sin(w @ x))


w, x = jnp.eye(2), jnp.ones(2)
y, f_vjp = jax.vjp(layer, w, x, saveable_args=(False, True))
backward = lambda ct: f_vjp(  # scaled
    2 * ct
)
w_bar, x_bar = backward(1.0)
# meant: w_bar == 2 * jax.grad(layer)(w, x)
# meant: x_bar == 2 * jax.grad(layer, 1)(w, x)
