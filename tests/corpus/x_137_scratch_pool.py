# rule: empty-ref-outside-jit
import jax
import jax.numpy as jnp


class ScratchPool:
    def __init__(self):
        self._free = []

    def take(self, shape, dtype=jnp.float32):
        if self._free:
            return self._free.pop()
        return jax.empty_ref(jax.ShapeDtypeStruct(shape, dtype))  # <-- here

    def give(self, ref):
        self._free.append(ref)


pool = ScratchPool()
pool.give(pool.take((2, 2)))
