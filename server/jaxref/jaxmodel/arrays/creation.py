"""Functions that make arrays from shapes, numbers and Python sequences, in `jax.numpy`."""

from __future__ import annotations

from math import ceil

from jaxref.domain.values import Array, Const, Shape, ShapeStruct
from jaxref.jaxmodel.arrays.call import Bound, Doubt, Operand, as_array, dims_of
from jaxref.jaxmodel.arrays.dtypes import (
    UNTYPED,
    Typed,
    kind,
    promote_all,
    strong,
    to_inexact,
)
from jaxref.jaxmodel.arrays.registry import Flow, Result, result, state, state_call, under
from jaxref.jaxmodel.arrays.shapes import broadcast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLOAT32 = Typed("float32", False)


def asked_shape(bound: Bound) -> Shape:
    """The `shape` argument."""
    return dims_of(bound.operand("shape"))


state(
    under("jax.numpy", "zeros ones empty"),
    "shape dtype",
    asked_shape,
    lambda b: b.dtype("dtype", FLOAT32),
    flow=Flow.FORM,
)


def full_type(bound: Bound) -> Typed:
    """`full`: the fill value's type where no dtype is asked for."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    return bound.typed("fill_value")


state(
    under("jax.numpy jax.lax", "full"),
    "shape fill_value dtype",
    asked_shape,
    full_type,
    derivative_of="fill_value",
)


def like_shape(bound: Bound) -> Shape:
    """`zeros_like` and its like: the `shape` argument, else the array's."""
    if bound.given("shape"):
        return dims_of(bound.operand("shape"))
    return bound.shape("a")


def like_type(bound: Bound) -> Typed:
    """`zeros_like` and its like: the `dtype` argument, else the array's."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    return bound.typed("a")


state(
    under("jax.numpy", "zeros_like ones_like empty_like"),
    "a dtype shape",
    like_shape,
    like_type,
    flow=Flow.FORM,
)


def full_like(bound: Bound) -> Result:
    """`full_like`: only the fill value's derivative and batch flow."""
    try:
        shape: Shape | None = like_shape(bound)
    except Doubt:
        shape = None
    return result(bound.operand("fill_value"), shape, like_type(bound))


state_call(
    under("jax.numpy jax.lax", "full_like"), "a fill_value dtype shape", full_like, array=True
)


def eye_shape(bound: Bound) -> Shape:
    """`eye`."""
    rows = bound.size("N")
    return (rows, bound.size("M") if bound.given("M") else rows)


state(
    under("jax.numpy", "eye"),
    "N M k dtype",
    eye_shape,
    lambda b: b.dtype("dtype", FLOAT32),
    flow=Flow.FORM,
)
state(
    "jax.numpy.identity",
    "N dtype",
    lambda b: (b.size("N"),) * 2,
    lambda b: b.dtype("dtype", FLOAT32),
    flow=Flow.FORM,
)
state(
    "jax.numpy.tri",
    "N M k dtype",
    eye_shape,
    lambda b: b.dtype("dtype", FLOAT32),
    flow=Flow.FORM,
)


def number_of(operand: Operand) -> Any:
    """The value of a constant real number."""
    if isinstance(operand, Const) and type(operand.value) in (int, float):
        return operand.value
    raise Doubt


def arange_shape(bound: Bound) -> Shape:
    """`arange`: the length follows from constant bounds, else it is one unknown dimension."""
    try:
        start = number_of(bound.operand("start"))
        if not bound.given("stop"):
            start, stop = 0, start
        else:
            stop = number_of(bound.operand("stop"))
        step = number_of(bound.operand("step")) if bound.given("step") else 1
    except Doubt:
        return (None,)
    if step == 0:
        raise Doubt
    return (max(ceil((stop - start) / step), 0),)


def arange_type(bound: Bound) -> Typed:
    """`arange`: the promoted type of its bounds."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    given = [name for name in ("start", "stop", "step") if bound.given(name)]
    return strong(promote_all([bound.typed(name) for name in given]))


state("jax.numpy.arange", "start stop step dtype", arange_shape, arange_type, flow=Flow.FORM)


def linspace_shape(bound: Bound) -> Shape:
    """`linspace`: the new axis is added to the broadcast shape of the bounds."""
    if bound.flag("retstep", False):
        raise Doubt
    common = broadcast(bound.shape("start"), bound.shape("stop"))
    at = bound.axis("axis", len(common) + 1, 0)
    return (*common[:at], bound.size("num") if "num" in bound.values else 50, *common[at:])


def linspace_type(bound: Bound) -> Typed:
    """`linspace`: floats, unless a dtype is asked for."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    found = to_inexact(promote_all([bound.typed("start"), bound.typed("stop")]))
    return strong(found)


state(
    under("jax.numpy", "linspace"),
    "start stop num endpoint retstep dtype axis",
    linspace_shape,
    linspace_type,
)
state(
    under("jax.numpy", "logspace"),
    "start stop num endpoint base dtype axis",
    linspace_shape,
    linspace_type,
)
state(
    under("jax.numpy", "geomspace"),
    "start stop num endpoint dtype axis",
    linspace_shape,
    linspace_type,
)


def array_shape(bound: Bound) -> Shape:
    """`array` of an array or of nested sequences."""
    shape = bound.shape("object")
    at_least = bound.integer("ndmin", 0)
    return (1,) * max(0, at_least - len(shape)) + shape


def array_type(bound: Bound) -> Typed:
    """`array` and `asarray`: a Python number alone stays weak, a sequence is strong."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    found = bound.operand("object")
    if isinstance(found, (tuple, list)):
        return strong(Typed(as_array(found).dtype, None))
    kept = bound.typed("object")
    if isinstance(found, Array) and found.origin == "jax" and kept.weak:
        return Typed(kept.dtype, None)
    return kept


state("jax.numpy.array", "object dtype copy order ndmin", array_shape, array_type)
state("jax.numpy.asarray", "object dtype order", array_shape, array_type)


SCALAR_TYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 float16 float32 float64 "
    "complex64 complex128"
)


def scalar_type_call(bound: Bound) -> Result:
    """`jnp.float32(x)`: an array of that dtype."""
    name = bound.call.name.rsplit(".", 1)[-1]
    asked = Bound(bound.call, {"dtype": Const(name)}, ()).dtype("dtype")
    return result(bound.operand("x"), bound.array("x").shape, asked)


state_call(under("jax.numpy", SCALAR_TYPES), "x", scalar_type_call, array=True)


def struct(bound: Bound) -> Result:
    """`jax.ShapeDtypeStruct`."""
    try:
        shape: Shape | None = dims_of(bound.operand("shape"))
    except Doubt:
        shape = None
    try:
        dtype = bound.dtype("dtype").dtype
    except Doubt:
        dtype = None
    return ShapeStruct(shape, dtype)


state_call("jax.ShapeDtypeStruct", "shape dtype", struct)


def broadcast_iota(bound: Bound) -> Typed:
    """`lax.iota`."""
    return bound.dtype("dtype")


state("jax.lax.iota", "dtype size", lambda b: (b.size("size"),), broadcast_iota, flow=Flow.FORM)
state(
    "jax.lax.broadcasted_iota",
    "dtype shape dimension",
    asked_shape,
    broadcast_iota,
    flow=Flow.FORM,
)


def _index_grid(bound: Bound) -> Shape:
    if bound.flag("sparse", False):
        raise Doubt
    dims = dims_of(bound.operand("dimensions"))
    return (len(dims), *dims)


state(
    "jax.numpy.indices",
    "dimensions dtype sparse",
    _index_grid,
    lambda b: b.dtype("dtype", Typed("int32", False)),
    flow=Flow.FORM,
)


def _tril_indices(bound: Bound) -> Result:
    rows = bound.size("n")
    columns = bound.size("m") if bound.given("m") else rows
    shift = bound.integer("k", 0)
    length: int | None = None
    if rows is not None and columns is not None:
        below = bound.call.name.endswith("tril_indices")
        length = (
            sum(
                1
                for row in range(rows)
                for column in range(columns)
                if (column <= row + shift if below else column >= row + shift)
            )
            if rows * columns <= 10_000
            else None
        )
    made = Array((length,), "int32", False)
    return (made, made)


state_call(under("jax.numpy", "tril_indices"), "n k m", _tril_indices)
state_call(under("jax.numpy", "triu_indices"), "n k m", _tril_indices)


def _window(bound: Bound) -> Shape:
    return (bound.size("M"),)


state(
    under("jax.numpy", "hanning hamming bartlett blackman"),
    "M",
    _window,
    lambda b: FLOAT32,
    flow=Flow.FORM,
)


def _vander(bound: Bound) -> Shape:
    (length,) = bound.shape("x")
    return (length, bound.size("N") if bound.given("N") else length)


state("jax.numpy.vander", "x N increasing", _vander, lambda b: _known_float(b))


def _known_float(bound: Bound) -> Typed:
    found = bound.typed("x")
    return found if kind(found.dtype) == "f" and found.weak is False else UNTYPED
