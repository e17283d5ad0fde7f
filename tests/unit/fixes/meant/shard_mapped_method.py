import functools

import jax as j
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = j.make_mesh((1,), ("i",), axis_types=(AxisType.Auto,))


class Stage:
	# mapped over the devices
	@staticmethod
	@functools.partial(j.shard_map, mesh=mesh, in_specs=(P("i"), P("i")),
	                   out_specs=P("i"))
	# adds, and hands on
	def add(total, x):
		total[...] += x
		return x

	def run(self, total, xs):
		return [self.add(total, x) for x in xs]


total = j.new_ref(jnp.zeros(2))
ys = Stage().run(total, jnp.ones((3, 2)))
# meant: total[...] == jnp.array([3.0, 3.0])
