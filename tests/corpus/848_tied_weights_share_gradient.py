# rule: none
import jax
import jax.numpy as jnp


def tied_autoencoder(encoder, decoder, x):
    return jnp.sum((jnp.tanh(x @ encoder) @ decoder.T - x) ** 2)


w = jnp.eye(3) * 0.5
w_bar = jax.new_ref(jnp.zeros_like(w))
loss, back = jax.vjp(tied_autoencoder, w, w, jnp.ones((2, 3)))
back.with_refs(w_bar, w_bar, jax.ad.DontWant())(jnp.ones_like(loss))
reference = jax.grad(lambda w: tied_autoencoder(w, w, jnp.ones((2, 3))))(w)
assert jnp.allclose(w_bar[...], reference)
