# rule: none
"""Tied embedding: input and output use share the gradient, on purpose."""
import jax
import jax.numpy as jnp


def language_model(embed, unembed, ids):
    h = embed[ids].mean(0)
    return jax.nn.logsumexp(unembed @ h)


table = jnp.ones((5, 3))
out, back = jax.vjp(lambda t, ids: language_model(t, t, ids), table, jnp.array([0, 2]))
table_bar = jax.new_ref(jnp.zeros_like(table))
back.with_refs(table_bar, jax.ad.DontWant())(jnp.ones_like(out))
print(table_bar[...].sum())
