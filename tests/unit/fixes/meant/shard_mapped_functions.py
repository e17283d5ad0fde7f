import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((1,), ("i",), axis_types=(AxisType.Auto,))
out = jax.new_ref(jnp.zeros(2))


def shard(function):
    return jax.shard_map(function, mesh=mesh, in_specs=(P("i"), P("i")), out_specs=P())


def double(x, out):
    out[...] += 2 * x


def triple(x, out):
    out[...] += 3 * x


for function in map(shard, [double, triple]):
    function(jnp.arange(2.0), out)
# meant: out[...] == jnp.array([0.0, 5.0])
