"""jax.experimental: the older names of refs, and where kernels are written."""

from typing import Any

from jax import Ref
from jax.experimental import pallas as pallas

MutableArray = Ref

def mutable_array(init_val: Any, **kwargs: Any) -> Ref: ...
