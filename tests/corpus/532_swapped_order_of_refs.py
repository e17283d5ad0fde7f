# rule: gradient-ref-type
import jax
import jax.numpy as jnp


def affine(w, b, x):
    return jnp.sum(x @ w + b)


w, b = jnp.ones((3, 2)), jnp.zeros(2)
bar = {k: jax.new_ref(jnp.zeros_like(v)) for k, v in (("w", w), ("b", b))}
y, affine_vjp = jax.vjp(affine, w, b, jnp.ones((4, 3)))
refs = [bar[k] for k in sorted(bar)]
affine_vjp.with_refs(*refs, jax.ad.DontWant())(jnp.ones_like(y))  # <-- here
