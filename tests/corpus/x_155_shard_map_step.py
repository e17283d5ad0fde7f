# rule: ref-to-eager-shard-map
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((1,), ("data",), axis_types=(AxisType.Auto,))
count = jax.new_ref(jnp.zeros(1))


def accumulate(total, x):
    total[...] += x.sum(keepdims=True)
    return x - x.mean()


step = jax.shard_map(accumulate, mesh=mesh, in_specs=(P("data"), P("data")), out_specs=P("data"))
for x in jnp.ones((2, 4)):
    centred = step(count, x)  # <-- here
