# rule: empty-ref-outside-jit
import jax
import jax.numpy as jnp


def scratch_like(x):
    return jax.empty_ref(jax.ShapeDtypeStruct(x.shape, x.dtype))  # <-- here


@jax.jit
def doubled(x):
    tmp = scratch_like(x)
    tmp[...] = x + x
    return tmp[...]


print(doubled(jnp.ones(2)))
workspace = scratch_like(jnp.ones(2))
