"""jax.ref: refs, and reading and writing them by function."""

from typing import Any

from jax import Array
from jax import Ref as Ref
from jax import empty_ref as empty_ref
from jax import free_ref as free_ref
from jax import freeze as freeze
from jax import new_ref as new_ref

class AbstractRef:
    shape: tuple[int, ...]
    dtype: Any
    inner_aval: Any

def get(ref: Ref, idx: Any = ...) -> Array: ...
def set(ref: Ref, idx: Any, value: Any) -> None: ...
def swap(ref: Ref, idx: Any, value: Any) -> Array: ...
def addupdate(ref: Ref, idx: Any, x: Any) -> None: ...
