# rule: none
import jax
import jax.numpy as jnp


def outputs(w, x):
    return jnp.stack([jnp.vdot(w, x), jnp.sum(w ** 2)])


w, x = jnp.ones(3), jnp.arange(3.0)
w_bar = jax.new_ref(jnp.zeros(3))
y, back = jax.vjp(outputs, w, x)
into_w = back.with_refs(w_bar, jax.ad.DontWant())
for ct in jnp.eye(2):
    into_w(ct)
assert jnp.allclose(w_bar[...], x + 2.0 * w)
