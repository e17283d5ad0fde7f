# rule: none
import jax
import jax.numpy as jnp


def zero_grads(params):
    return jax.tree.map(lambda r: jax.new_ref(jnp.zeros(r.shape, r.dtype)), params)


def mlp(p, x):
    return jnp.sum(jax.nn.relu(x @ p["w"][...] + p["b"][...]))


params = {"w": jax.new_ref(jnp.ones((3, 2))), "b": jax.new_ref(jnp.zeros(2))}
for step in range(3):
    grads = zero_grads(params)
    for x in jnp.ones((2, 3)):
        out, back = jax.vjp(mlp, params, x)
        back.with_refs(grads, jax.ad.DontWant())(1.0)
    for k, p in params.items():
        p[...] -= 0.01 * grads[k][...]
print({k: p[...] for k, p in params.items()})
