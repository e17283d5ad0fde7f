# rule: cotangent-structure
import jax
import jax.numpy as jnp


def loss(w, x):
    pred = x @ w
    return jnp.mean(pred ** 2), {"pred": pred}


w = jax.new_ref(jnp.ones(2))
w_bar = jax.new_ref(jnp.zeros(2))
(value, aux), back = jax.vjp(lambda r, x: loss(r[...], x), w, jnp.ones((3, 2)))
back.with_refs(w_bar, jax.ad.DontWant())(jnp.ones_like(value))  # <-- here
