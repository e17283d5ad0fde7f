# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}


def affine(p, x):
    return x @ p["w"][...] + p["b"][...]


def make_trainable(params, *names):
    for name in names:
        params[name] = jax.new_ref(params[name])


y, back = jax.vjp(affine, params, jnp.ones(2))
back(jnp.ones(2))

make_trainable(params, "b")
y, back = jax.vjp(affine, params, jnp.ones(2))
bars, _ = back(jnp.ones(2))  # <-- here
