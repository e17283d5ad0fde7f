# rule: gradient-ref-type
import jax
import jax.numpy as jnp

prices = jnp.array([100.0, 101.5, 99.0])
exposure = jax.new_ref(jnp.full(prices.shape, 0))
pnl, pull = jax.vjp(lambda p: jnp.sum(jnp.log(p[1:] / p[:-1])), prices)
pull.with_refs(exposure)(jnp.ones_like(pnl))  # <-- here
