# rule: none
import jax
import jax.numpy as jnp


def heads(params, x):
    h = jnp.tanh(x @ params["trunk"][...])
    return {"policy": h @ params["policy"][...], "aux": (h.sum(), [h.mean()])}


params = {"trunk": jax.new_ref(jnp.eye(2)), "policy": jax.new_ref(jnp.ones((2, 3)))}
grads = jax.tree.map(lambda r: jax.new_ref(jnp.zeros(r.shape, r.dtype)), params)
out, back = jax.vjp(heads, params, jnp.ones(2))
ct = jax.tree.map(jnp.ones_like, out)
back.with_refs(grads, jax.ad.DontWant())(ct)
back.with_refs(grads, jax.ad.DontWant())(jax.tree.map(lambda o: 0.5 * o, out))
print(jax.tree.map(jnp.shape, grads))
