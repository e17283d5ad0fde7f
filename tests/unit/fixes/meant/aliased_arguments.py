import jax
import jax.numpy as jnp
from jax import lax


class Blend:
	def __init__(self):
		self.online = jax.new_ref(jnp.arange(2.0))
		self.target = self.online

	@staticmethod
	@jax.jit
	def mix(target, *, online, alpha):
		target[...] = (1 - alpha) * target[...] \
			+ alpha * online[...]

	def sync(self):
		for alpha in (0.25, 0.5):
			self.mix(self.target, alpha=alpha, online=self.online)  # aliased


blend = Blend()
blend.sync()
value = blend.online[...]
# meant: value == jnp.arange(2.0)
