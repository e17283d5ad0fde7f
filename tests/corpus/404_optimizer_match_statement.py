# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def negative_sharpe(weights, returns):
    portfolio = returns @ jax.nn.softmax(weights[...])
    return -portfolio.mean() / (portfolio.std() + 1e-6)


def rebalance(weights, returns, method):
    match method:
        case {"name": "sgd", "lr": lr}:
            value, vjp_fn = jax.vjp(negative_sharpe, weights, returns)
            dw, dr = vjp_fn(jnp.ones_like(value))  # <-- here
            weights[...] -= lr * dw
        case {"name": "hold"}:
            pass
        case _:
            raise ValueError(method)


returns = 0.01 * jnp.sin(jnp.arange(15.0)).reshape(5, 3)
w = jax.new_ref(jnp.zeros(3))
for method in ({"name": "hold"}, {"name": "sgd", "lr": 0.5}):
    rebalance(w, returns, method)
