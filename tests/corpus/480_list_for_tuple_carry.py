# rule: with-refs-structure
import jax
import jax.numpy as jnp


def lstm(carry, x):
    h, c = carry
    c = jax.nn.sigmoid(h) * c + jnp.tanh(x)
    return jnp.tanh(c).sum()


carry = (jnp.zeros(2), jnp.ones(2))
carry_bar = []
for part in carry:
    carry_bar.append(jax.new_ref(jnp.zeros_like(part)))
out, back = jax.vjp(lstm, carry, jnp.ones(2))
bound = back.with_refs(carry_bar, jax.ad.DontWant())  # <-- here
bound(jnp.float32(1))
