# rule: none
"""The usual trick: look at a gradient in the middle of a model."""
import jax
import jax.numpy as jnp


@jax.custom_vjp
def stash(ref, x):
    return x


def stash_fwd(ref, x):
    return x, ref


def stash_bwd(ref, g):
    ref[...] = g
    return None, g


stash.defvjp(stash_fwd, stash_bwd)


def model(w, probe):
    h = stash(probe, jnp.sin(w))
    return jnp.sum(h ** 2)


probe = jax.new_ref(jnp.zeros(3))
w = jnp.arange(3.0)
print(jax.grad(model)(w, probe), probe)
assert jnp.allclose(probe[...], 2 * jnp.sin(w))
