# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp

Value = jax.ad.GradValue


def vae_loss(enc, dec, x):
    z = jnp.tanh(x @ enc["w"][...])
    return jnp.mean((z @ dec["w"] - x) ** 2)


enc = {"w": jax.new_ref(jnp.ones((4, 2)) * 0.1)}
dec = {"w": jnp.ones((2, 4)) * 0.1}
loss, back = jax.vjp(vae_loss, enc, dec, jnp.ones((3, 4)))
wants = [jax.tree.map(lambda _: Value(), part) for part in (enc, dec)]
enc_bar, dec_bar, _ = back.with_refs(*wants, jax.ad.DontWant())(jnp.ones_like(loss))  # <-- here
