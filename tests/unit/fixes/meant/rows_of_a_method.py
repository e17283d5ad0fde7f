import jax as j
import jax.numpy as jnp


class Table:
	def __init__(self, size):
		self.counts = j.new_ref(jnp.zeros(size, jnp.int32))
		self.total = j.new_ref(0.0)

	def note(self, index,  # which
	         value):
		self.counts[index] = 1 + self.counts[index]
		return value * 2

	def run(self, indices, values):
		for _ in range(2): doubled = j.jit(j.vmap(self.note))(indices, values)
		return doubled, self.counts[...]


table = Table(3)
doubled, counts = table.run(jnp.array([0, 2, 2]), jnp.ones(3))
# meant: counts == jnp.array([2, 0, 4])
# meant: doubled == jnp.full(3, 2.0)
# meant by Run the examples one after the other: counts == jnp.array([2, 0, 4])
# meant by Run the examples one after the other: doubled == jnp.full(3, 2.0)
