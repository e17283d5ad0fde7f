# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

frozen = {"backbone": jnp.ones((2, 2))}
trainable = {"head": jax.new_ref(jnp.ones(2)), "bias": jax.new_ref(jnp.float32(0))}


def classify(p, x):
    h = jnp.tanh(x @ p["backbone"])
    return h @ p["head"][...] + p["bias"][...]


def merged():
    return frozen | trainable


def input_gradient(x):
    params = {**merged()}
    score, back = jax.vjp(classify, params, x)
    return back(jnp.ones_like(score))[1]  # <-- here


print(input_gradient(jnp.ones((3, 2))))
