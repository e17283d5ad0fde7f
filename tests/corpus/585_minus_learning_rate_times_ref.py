# rule: ref-as-array
import jax
import jax.numpy as jnp

w, w_bar = jax.new_ref(jnp.ones(2)), jax.new_ref(jnp.zeros(2))
loss, back = jax.vjp(lambda w: jnp.sum(w[...] ** 2), w)
back.with_refs(w_bar)(1.0)
w[...] = w[...] - 0.1 * w_bar  # <-- here
