# rule: with-refs-structure
import jax
import jax.numpy as jnp


def mahalanobis(x, mu, prec):
    d = x - mu
    return d @ prec @ d


def bars_for(*primals):
    return tuple(jax.new_ref(jnp.zeros_like(p)) for p in primals)


primals = jnp.ones(2), jnp.zeros(2), jnp.eye(2)
bars = bars_for(*primals)
dist, back = jax.vjp(mahalanobis, *primals)
back.with_refs(bars)(jnp.ones_like(dist))  # <-- here
