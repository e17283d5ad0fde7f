"""Arrays as JAX prints their types."""

from __future__ import annotations

from jaxref.domain.values import Array, Const, Shape, ShapeStruct, Value
from jaxref.jaxmodel.arrays.dtypes import dtype_of_const


def aval_text(value: Value, *, ref: bool = False) -> str | None:
    """`float32[3,?]` for an array or a number, `Ref{float32[3]}` for a ref that holds it.

    A dtype that is not known is `?`, a shape that is not known `[...]`. None for values that are
    no arrays.
    """
    if isinstance(value, (Array, ShapeStruct)):
        text = (value.dtype or "?") + shape_text(value.shape)
    elif isinstance(value, Const) and type(value.value) in (bool, int, float, complex):
        text = (dtype_of_const(value.value).dtype or "?") + "[]"
    else:
        return None
    return f"Ref{{{text}}}" if ref else text


def shape_text(shape: Shape | None) -> str:
    """`[3,?]`, `[...]` where the rank is not known."""
    if shape is None:
        return "[...]"
    return "[" + ",".join("?" if size is None else str(size) for size in shape) + "]"
