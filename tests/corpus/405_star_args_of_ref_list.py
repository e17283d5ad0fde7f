# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

SIZES = [3, 4, 2]
weights = [jax.new_ref(jnp.full((m, n), 1.0 / m)) for m, n in zip(SIZES, SIZES[1:])]


def mlp(x, *ws):
    for i, w in enumerate(ws):
        x = x @ w[...]
        if i < len(ws) - 1:
            x = jax.nn.softplus(x)
    return x


def train_step(x, y):
    pred, back = jax.vjp(mlp, x, *weights)
    x_bar, *w_bars = back(pred - y)  # <-- here
    for w, g in zip(weights, w_bars):
        w[...] -= 0.05 * g
    return x_bar


train_step(jnp.ones((5, 3)), jnp.zeros((5, 2)))
