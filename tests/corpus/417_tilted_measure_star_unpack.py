# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp
from jax import ad


def option_price(spot, vol, strike):
    d = (jnp.log(spot / strike) + 0.5 * vol[...] ** 2) / vol[...]
    return spot * jax.scipy.stats.norm.cdf(d) - strike * jax.scipy.stats.norm.cdf(d - vol[...])


vol = jax.new_ref(0.2)
price, greeks = jax.vjp(option_price, 100.0, vol, 95.0)
wanted = [ad.GradValue()] * 2 + [ad.DontWant()]
delta, vega, _ = greeks.with_refs(*wanted)(1.0)  # <-- here
