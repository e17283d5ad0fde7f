# rule: none
import jax
import jax.numpy as jnp

params = {"w": jax.new_ref(jnp.ones(2))}


def fresh():
    return {k: jax.new_ref(jnp.zeros_like(r)) for k, r in params.items()}


@jax.jit
def accumulate(params, grads, x):
    loss, back = jax.vjp(lambda p, x: jnp.vdot(p["w"][...], x), params, x)
    back.with_refs(grads, jax.ad.DontWant())(jnp.ones_like(loss))
    return loss


for epoch in range(2):
    grads = fresh()
    for x in jnp.ones((3, 2)):
        accumulate(params, grads, x)
    params["w"][...] -= 0.1 * grads["w"][...]
assert jnp.allclose(params["w"][...], 0.4)
