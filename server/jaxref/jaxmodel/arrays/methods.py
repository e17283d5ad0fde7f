"""Attributes and methods of arrays."""

from __future__ import annotations

from jaxref.domain.values import Array, Const, Value
from jaxref.jaxmodel.arrays.call import ArrayCall, Bound, Doubt, Operand, bind, expanded, ints_of
from jaxref.jaxmodel.arrays.dtypes import (
    Typed,
    is_inexact,
    kind,
    real_part,
)
from jaxref.jaxmodel.arrays.registry import ARRAY_FUNCTIONS, Result, result
from jaxref.jaxmodel.arrays.shapes import (
    PYTHON_INT,
    reshape_target,
    reshaped,
    shape_value,
    size_of,
    swapped,
    transposed,
)

_SAME_AS_FUNCTION = frozenset(
    {
        "all",
        "any",
        "argmax",
        "argmin",
        "argsort",
        "clip",
        "conj",
        "conjugate",
        "cumprod",
        "cumsum",
        "diagonal",
        "dot",
        "max",
        "mean",
        "min",
        "prod",
        "ptp",
        "ravel",
        "repeat",
        "round",
        "sort",
        "squeeze",
        "std",
        "sum",
        "swapaxes",
        "take",
        "trace",
        "var",
        "searchsorted",
        "nonzero",
    }
)
"""Methods that are the function of that name with the array as its first argument."""

_AT_UPDATES = frozenset(
    {
        "set",
        "add",
        "subtract",
        "sub",
        "multiply",
        "mul",
        "divide",
        "div",
        "power",
        "pow",
        "min",
        "max",
        "apply",
    }
)


def array_attribute(array: Array, name: str) -> Result | None:
    """`array.<name>`, None where nothing is known of it.

    `.dtype` is the `Const` of the dtype's name, as everywhere in this package; `.shape` a Python
    tuple whose unknown sizes are Python ints of unknown value.
    """
    shape = array.shape
    match name:
        case "shape":
            return shape_value(shape) if shape is not None else None
        case "dtype":
            return Const(array.dtype) if array.dtype is not None else None
        case "ndim":
            return Const(len(shape)) if shape is not None else PYTHON_INT
        case "size":
            size = size_of(shape) if shape is not None else None
            return Const(size) if size is not None else PYTHON_INT
        case "T":
            return _changed(array, transposed(shape, None) if shape is not None else None)
        case "mT":
            if shape is None or len(shape) < 2:
                return _changed(array, None)
            return _changed(array, swapped(shape, -1, -2))
        case "real" | "imag":
            return _part(array, name)
        case "weak_type":
            return Const(array.weak) if array.origin == "jax" and array.weak is not None else None
        case "aval" | "at" | "sharding" | "itemsize" | "nbytes" | "flat":
            return None
        case _:
            return None


def _changed(array: Array, shape: tuple[int | None, ...] | None) -> Array:
    return Array(shape, array.dtype, array.weak, array.origin, array.taint, array.batch)


def _part(array: Array, name: str) -> Array:
    dtype = real_part(array.dtype)
    taint = array.taint
    if name == "imag" and dtype is not None and dtype == array.dtype:
        taint = frozenset()
    return Array(array.shape, dtype, array.weak, array.origin, taint, array.batch)


def array_method(array: Array, name: str, call: ArrayCall) -> Result | None:
    """What `array.<name>(...)` returns, None where nothing is known of such a method.

    `call` holds the arguments after the array itself. `array.at[i].set(v)` is asked for as
    `at_update(array, "set", call)`.
    """
    if array.origin == "python":
        return _python_method(array, name)
    package = "jax.numpy" if array.origin == "jax" else "numpy" if array.origin == "numpy" else ""
    if not package:
        return None
    if package == "numpy" and name == "sort":
        return Const(None)
    if name in _SAME_AS_FUNCTION:
        function = f"{package}.{name}"
        handler = ARRAY_FUNCTIONS.get(function)
        if handler is None:
            return None
        return handler(ArrayCall(function, (array, *call.args), call.kwargs, call.open))
    try:
        return _own_method(array, name, call)
    except Doubt:
        return result((array, *call.args), None, Typed(None, None), origin=array.origin)


def _own_method(array: Array, name: str, call: ArrayCall) -> Result | None:
    args: tuple[Operand, ...] = tuple(expanded(item) for item in call.args)
    match name:
        case "reshape":
            target = args[0] if len(args) == 1 else args
            if "shape" in call.kwargs:
                target = expanded(call.kwargs["shape"])
            return _reshaped(array, target, call)
        case "flatten":
            return _changed(array, (size_of(array.shape),) if array.shape is not None else None)
        case "transpose":
            if call.open or array.shape is None:
                return _changed(array, None)
            axes = args[0] if len(args) == 1 else args
            if not args or (isinstance(axes, Const) and axes.value is None):
                return _changed(array, transposed(array.shape, None))
            return _changed(array, transposed(array.shape, ints_of(axes)))
        case "astype":
            return _cast(array, bind(call, ("dtype", "order", "casting", "subok", "copy")))
        case "view":
            return _changed(array, None) if not args else None
        case "copy" | "block_until_ready" | "__copy__" | "__deepcopy__":
            return array
        case "item" | "tolist":
            return _item(array, name)
        case "fill":
            return Const(None)
        case _:
            return None


def _reshaped(array: Array, target: Operand, call: ArrayCall) -> Array:
    if call.open:
        return _changed(array, None)
    try:
        shape = reshaped(array.shape, reshape_target(target))
    except Doubt:
        return _changed(array, None)
    weak = array.weak if array.weak is False else None
    return Array(shape, array.dtype, weak, array.origin, array.taint, array.batch)


def _cast(array: Array, bound: Bound) -> Array:
    if array.origin == "numpy":
        dtype = bound.numpy_dtype("dtype", None)
        return Array(array.shape, dtype, False if dtype else None, "numpy", array.taint)
    asked = bound.dtype("dtype")
    taint = array.taint if is_inexact(asked.dtype) is not False else frozenset[int]()
    return Array(array.shape, asked.dtype, asked.weak, "jax", taint, array.batch)


def _item(array: Array, name: str) -> Value | None:
    if name == "tolist" and array.shape != ():
        return None
    python = {"b": "bool", "i": "int32", "u": "int32", "f": "float32", "c": "complex64"}
    dtype = python.get(kind(array.dtype) or "")
    return Array((), dtype, None if dtype is None else dtype != "bool", "python", array.taint)


def _python_method(array: Array, name: str) -> Result | None:
    if name == "conjugate":
        return array
    return None


def at_update(array: Array, name: str, call: ArrayCall) -> Result | None:
    """`array.at[index].<name>(...)`: an updated array of the same shape and dtype.

    `get` is left to the indexing rules and gives None. Whether a weak type stays is left open, and
    so is the dtype where a division or a power may leave the whole numbers.
    """
    if name not in _AT_UPDATES:
        return None
    keeps = name not in ("divide", "div", "power", "pow") or is_inexact(array.dtype)
    operands = (array, *call.args, *call.kwargs.values())
    return result(operands, array.shape, Typed(array.dtype if keeps else None, None))


__all__ = ["array_attribute", "array_method", "at_update"]
