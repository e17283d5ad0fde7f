# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Node:
    _count = 0

    def __init__(self, fn, *inputs):
        self.value, self._vjp = jax.vjp(fn, *inputs)
        type(self)._count += 1

    @property
    def local_grads(self):
        return self._vjp(jnp.ones_like(self.value))  # <-- here


class NamedNode(Node):
    def __init__(self, name, fn, *inputs):
        super().__init__(fn, *inputs)
        self.name = name

    def __repr__(self):
        return f"{self.name}={self.value} ({Node._count} nodes)"


rate = jax.new_ref(jnp.float32(0.05))
disc = NamedNode("discount", lambda r, t: jnp.exp(-r[...] * t), rate, jnp.float32(2.0))
print(disc)
print(disc.local_grads)
