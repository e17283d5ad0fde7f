# rule: with-refs-structure
import jax
import jax.numpy as jnp


@jax.jit
def flat_gradient(params, x):
    flat, unravel = jax.flatten_util.ravel_pytree(params)
    acc = jax.new_ref(jnp.zeros_like(flat))
    out, back = jax.vjp(lambda p, x: jnp.vdot(p["a"], x) + p["c"].sum(), params, x)
    back.with_refs(acc, jax.ad.DontWant())(jnp.ones_like(out))  # <-- here
    return unravel(jax.freeze(acc))


import jax.flatten_util
flat_gradient({"a": jnp.ones(3), "c": jnp.zeros(2)}, jnp.ones(3))
