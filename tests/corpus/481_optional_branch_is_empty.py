# rule: with-refs-structure
import jax
import jax.numpy as jnp


def conditioned(params, x, cond):
    h = x * params["w"][...]
    if cond is not None:
        h = h + cond
    return h.sum()


params = {"w": jax.new_ref(jnp.ones(3))}
grads = {"w": jax.new_ref(jnp.zeros(3))}
out, back = jax.vjp(conditioned, params, jnp.ones(3), None)
skip = jax.ad.DontWant()
back.with_refs(grads, skip, skip)(1.0)  # <-- here
