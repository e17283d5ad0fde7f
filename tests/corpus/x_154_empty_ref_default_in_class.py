# rule: empty-ref-outside-jit
import jax
import jax.numpy as jnp


class Workspace:
    def __init__(self, shape):
        self.shape = jax.ShapeDtypeStruct(shape, jnp.float32)
        self.buffer = None

    def __enter__(self):
        self.buffer = jax.empty_ref(self.shape)  # <-- here
        return self.buffer

    def __exit__(self, *exc):
        jax.free_ref(self.buffer)


with Workspace((2, 2)) as buf:
    buf[...] = jnp.ones((2, 2))
