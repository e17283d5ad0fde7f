# rule: none
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1,), ("i",))


def scale(r, x):
    r[...] = r[...] * x
    return x


@jax.jit
def run(r, x):
    y = jax.shard_map(scale, mesh=mesh, in_specs=(P(), P()), out_specs=P())(r, x)
    scratch = jax.empty_ref(jax.ShapeDtypeStruct((2,), jnp.float32))
    scratch[...] = r[...] + y
    jax.debug.print("scratch {}", scratch[...])
    return scratch[...]


r = jax.new_ref(jnp.ones(2))
print(run(r, jnp.arange(2.0)), r)
