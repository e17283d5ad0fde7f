# rule: none
import jax
import jax.numpy as jnp


def lora(base, a, b, x):
    return x @ (base[...] + a @ b)


base = jax.new_ref(jnp.eye(4))
a, b = jnp.ones((4, 1)) * 0.1, jnp.zeros((1, 4))
a_bar, b_bar = (jax.new_ref(jnp.zeros_like(p)) for p in (a, b))
for x in jnp.ones((2, 3, 4)):
    y, back = jax.vjp(lora, base, a, b, x)
    back.with_refs(jax.ad.DontWant(), a_bar, b_bar, jax.ad.DontWant())(y - 1.0)
print(a - 0.1 * a_bar[...], b - 0.1 * b_bar[...])
