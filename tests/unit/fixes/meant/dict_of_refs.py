import jax
import jax.numpy as jnp

values = {"w": jnp.arange(6.0).reshape(2, 3), "b": jnp.ones(3)}
params = jax.tree.map(jax.new_ref, values)


def layer(p, x):
    return jnp.sum(jnp.tanh(x @ p["w"][...] + p["b"][...]))


x = jnp.array([0.3, -0.2])
out, back = jax.vjp(layer, params, x)
grads = back(1.0)
# meant: grads[0]["w"] == jax.grad(layer)(values, x)["w"]
# meant: grads[0]["b"] == jax.grad(layer)(values, x)["b"]
# meant: grads[1] == jax.grad(layer, 1)(values, x)
