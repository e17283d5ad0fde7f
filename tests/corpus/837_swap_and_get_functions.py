# rule: none
import jax
import jax.numpy as jnp
from jax import ref as jref

front, back = jref.new_ref(jnp.zeros(4)), jref.new_ref(jnp.ones(4))


def flip(fresh):
    old = jref.swap(front, ..., fresh)
    jref.set(back, ..., old)
    jref.addupdate(back, 0, jnp.float32(10.0))
    return jref.get(back, slice(0, 2))


print(flip(jnp.full(4, 7.0)), jax.jit(flip)(jnp.zeros(4)))
result = jref.freeze(back)
print(result + 1, front)
