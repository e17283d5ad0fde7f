# rule: none
import jax
import jax.numpy as jnp

_SEED_BOX = None


def get_box():
    global _SEED_BOX
    if _SEED_BOX is None:
        _SEED_BOX = jax.new_ref(jax.random.key(0))
    return _SEED_BOX


def next_key():
    key, sub = jax.random.split(get_box()[...])
    get_box()[...] = key
    return sub


@jax.jit
def noise(shape_like):
    return jax.random.normal(next_key(), shape_like.shape)


a, b = noise(jnp.zeros(3)), noise(jnp.zeros(3))
print(a, b, bool((a != b).all()))
