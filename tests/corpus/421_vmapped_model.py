# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def price(sigma, strike):
    spot, rate, t = 100.0, 0.01, 1.0
    d1 = (jnp.log(spot / strike) + (rate + 0.5 * sigma[...] ** 2) * t) / sigma[...]
    d2 = d1 - sigma[...]
    return spot * jax.scipy.stats.norm.cdf(d1) - strike * jax.scipy.stats.norm.cdf(d2)


surface = jax.vmap(price, in_axes=(None, 0))
volatility = jax.new_ref(0.2)
strikes = jnp.array([90.0, 100.0, 110.0])
prices, greeks = jax.vjp(surface, volatility, strikes)
vega, strike_delta = greeks(jnp.ones_like(prices) / 3)  # <-- here
