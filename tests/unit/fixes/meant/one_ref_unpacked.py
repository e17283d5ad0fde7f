import jax
import jax.numpy as jnp

xs = jnp.linspace(-1.0, 1.0, 12).reshape(4, 3)
ys = jnp.array([0.5, -0.25, 0.1, 1.0])
weights = jax.new_ref(jnp.array([0.1, 0.2, 0.3]))


def ridge(w, xs, ys):
    return jnp.mean((xs @ w[...] - ys) ** 2) + 1e-3 * jnp.sum(w[...] ** 2)


loss, pullback = jax.vjp(ridge, weights, xs, ys)
dw, dx, dy = pullback(jnp.ones_like(loss))
# meant: dw == jax.grad(lambda w: ridge(w, xs, ys))(jnp.array([0.1, 0.2, 0.3]))
# meant: dy == jax.grad(lambda ys: ridge(jnp.array([0.1, 0.2, 0.3]), xs, ys))(ys)
