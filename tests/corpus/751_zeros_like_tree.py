# rule: array-as-gradient-ref (silent)
import jax
import jax.numpy as jnp

params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
grads = jax.tree.map(jnp.zeros_like, params)


def loss(p, x):
    return jnp.sum((x @ p["w"] + p["b"]) ** 2)


for x in jnp.ones((3, 2)):
    value, back = jax.vjp(loss, params, x)
    back.with_refs(grads, jax.ad.DontWant())(jnp.ones_like(value))  # <-- here
params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
assert (params["w"] == 1.0).all()  # untouched: the sums went nowhere
