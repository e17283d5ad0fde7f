# rule: none
import jax
import jax.numpy as jnp


class Backend:
    def read(self, slot):
        raise NotImplementedError

    def total(self):
        return sum(self.read(s) for s in self.slots)


class RefBackend(Backend):
    def __init__(self, n):
        self.slots = [jax.new_ref(jnp.float32(i)) for i in range(n)]

    def read(self, slot):
        return slot[...]


class ArrayBackend(Backend):
    def __init__(self, n):
        self.slots = [jnp.float32(i) for i in range(n)]

    def read(self, slot):
        return slot * 1.0


for backend in (RefBackend(3), ArrayBackend(3)):
    print(type(backend).__name__, backend.total())
