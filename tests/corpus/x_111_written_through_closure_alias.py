# rule: aliased-vjp-primals (silent)
import jax
import jax.numpy as jnp

w = jax.new_ref(jnp.float32(3.0))


def squared(v):
    return v[...] * w[...]


w_bar = jax.new_ref(jnp.float32(0.0))
y, back = jax.vjp(squared, w)  # <-- here
back.with_refs(w_bar)(1.0)
assert w_bar[...] == 3.0  # d(w^2)/dw = 6
