# rule: none
import jax
import jax.numpy as jnp
from jax import Array, Ref
from jax.experimental import pallas as pl


def window_sum(x_ref: Ref, out_ref: Ref) -> None:
    n = out_ref.shape[0]
    out_ref[...] = jnp.zeros_like(out_ref)
    for shift in range(x_ref.shape[0] - n + 1):
        out_ref[...] += x_ref[pl.ds(shift, n)]

    @pl.when(pl.program_id(0) == 0)
    def _first() -> None:
        out_ref[0] = x_ref[0]


def windows(x: Array, n: int) -> Array:
    spec = jax.ShapeDtypeStruct((n,), x.dtype)
    return pl.pallas_call(window_sum, grid=(1,), out_shape=spec, interpret=True)(x)


print(windows(jnp.arange(6.0), 4))
