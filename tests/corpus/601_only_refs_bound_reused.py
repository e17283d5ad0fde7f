# rule: none
import jax
import jax.numpy as jnp


def features(w, x):
    return jnp.tanh(w[...] @ x)


w, w_bar = jax.new_ref(jnp.eye(3)), jax.new_ref(jnp.zeros((3, 3)))
y, pull = jax.vjp(features, w, jnp.arange(3.0))
into = pull.with_refs(w_bar, jax.ad.DontWant())
for ct in jnp.eye(3):
    into(ct)
once = jax.new_ref(jnp.zeros((3, 3)))
pull.with_refs(once, jax.ad.DontWant())(jnp.ones(3))
assert jnp.allclose(w_bar[...], once[...])
