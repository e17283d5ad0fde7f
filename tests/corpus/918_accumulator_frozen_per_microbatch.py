# rule: use-after-freeze
import functools

import jax
import jax.numpy as jnp


def loss(params, x):
    return jnp.mean((x @ params["w"] + params["b"]) ** 2)


@functools.partial(jax.jit, static_argnames="clip")
def gradients(params, microbatches, clip):
    acc = jax.tree.map(lambda p: jax.new_ref(jnp.zeros_like(p)), params)
    for mb in microbatches:
        value, pull = jax.vjp(loss, params, mb)
        pull.with_refs(acc, jax.ad.DontWant())(jnp.ones_like(value))
    total = {name: jax.freeze(ref) for name, ref in acc.items()}
    if clip is None:
        return total
    norm = jnp.sqrt(sum(jnp.vdot(r[...], r[...]) for r in acc.values()))  # <-- cause
    return jax.tree.map(lambda g: g * jnp.minimum(1.0, clip / norm), total)


params = {"w": jnp.ones((2, 1)), "b": jnp.zeros(1)}
gradients(params, jnp.ones((2, 3, 2)), clip=None)
gradients(params, jnp.ones((2, 3, 2)), clip=1.0)  # <-- here
