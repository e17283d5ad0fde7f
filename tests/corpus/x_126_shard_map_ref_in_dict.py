# rule: ref-to-eager-shard-map
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def sgd(params, g):
    for k in params:
        params[k][...] = params[k][...] - 0.1 * g
    return g


params = {"w": jax.new_ref(jnp.ones(2))}
mesh = jax.make_mesh((1,), ("model",))
sharded = jax.shard_map(sgd, mesh=mesh, in_specs=(P(), P()), out_specs=P())
sharded(params, jnp.ones(2))  # <-- here
