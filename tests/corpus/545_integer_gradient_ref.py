# rule: gradient-ref-type
import jax
import jax.numpy as jnp


def survival(rate, t):
    return jnp.exp(-rate * t)


rate_bar = jax.new_ref(0)  # int32, not a float
s, back = jax.vjp(survival, 0.3, 2.0)
back.with_refs(rate_bar, jax.ad.DontWant())(1.0)  # <-- here
