import jax
import jax.numpy as jnp


class Meter:
	def __init__(self, size):
		self.size = size
		self.sums = jax.new_ref(jnp.zeros(2))
		self.add = jax.jit(lambda x: self._add(x))

	def _add(self, x):
		self.sums[...] += x

	def reset(self):
		self.sums: jax.Ref = jax.new_ref(
			jnp.zeros(2)  # one for each class
			+ 0.5,
		)


meter = Meter(2)
for _ in range(2):
	meter.reset(); meter.add(jnp.ones(2))
value = meter.sums[...]
# meant: value == jnp.array([1.5, 1.5])
