"""What is left of a result when 64-bit types may be switched on."""

from __future__ import annotations

from jaxref.domain.values import Array
from jaxref.jaxmodel.arrays.registry import Result
from jaxref.quick_dataclasses import replace

_WIDTH_DEPENDS = frozenset(
    {"int32", "int64", "uint32", "uint64", "float32", "float64", "complex64", "complex128"}
)


def without_width(found: Result) -> Result:
    """`found` without the dtypes that hang on 64-bit types being off.

    It is for programs that set `jax_enable_x64`. NumPy's and Python's own values stay as they are.
    """
    if isinstance(found, tuple):
        return tuple(without_width(item) for item in found)
    if isinstance(found, list):
        return [without_width(item) for item in found]
    if isinstance(found, Array) and found.origin == "jax" and found.dtype in _WIDTH_DEPENDS:
        return replace(found, dtype=None, weak=None)
    return found
