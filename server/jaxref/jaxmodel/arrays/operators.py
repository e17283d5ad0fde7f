"""Python's operators on arrays and constants."""

from __future__ import annotations

import operator
from collections.abc import Callable

from jaxref.domain.values import UNKNOWN, Array, Const, Shape, Value
from jaxref.jaxmodel.arrays.call import (
    ArrayCall,
    Doubt,
    Operand,
    as_array,
    is_python_number,
    numpy_dtype,
    traces,
)
from jaxref.jaxmodel.arrays.dtypes import (
    DTYPES,
    UNTYPED,
    Typed,
    dtype_name,
    kind,
    numpy_promote,
    numpy_to_inexact,
)
from jaxref.jaxmodel.arrays.registry import ARRAY_FUNCTIONS
from jaxref.jaxmodel.arrays.shapes import broadcast, matmul

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_JAX_BINARY = {
    "+": "jax.numpy.add",
    "-": "jax.numpy.subtract",
    "*": "jax.numpy.multiply",
    "/": "jax.numpy.true_divide",
    "//": "jax.numpy.floor_divide",
    "%": "jax.numpy.remainder",
    "**": "jax.numpy.power",
    "@": "jax.numpy.matmul",
    "&": "jax.numpy.bitwise_and",
    "|": "jax.numpy.bitwise_or",
    "^": "jax.numpy.bitwise_xor",
    "<<": "jax.numpy.left_shift",
    ">>": "jax.numpy.right_shift",
}

_PYTHON_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_JAX_COMPARISONS = {
    "==": "jax.numpy.equal",
    "!=": "jax.numpy.not_equal",
    "<": "jax.numpy.less",
    "<=": "jax.numpy.less_equal",
    ">": "jax.numpy.greater",
    ">=": "jax.numpy.greater_equal",
}

_NUMBERS = (bool, int, float, complex)
_LARGEST = 1 << 256
"""Whole numbers are not computed beyond this, so that `9 ** 9 ** 9` costs nothing."""

_PYTHON_BOOL = Array((), "bool", False, "python")


def binary_op(op: str, left: Value, right: Value) -> Value:
    """`left <op> right`, with Python's text for the operator. Unknown where nothing is certain.

    An operation of a JAX array with anything gives a JAX array. Python numbers of known value are
    computed; strings are joined by `+` only.
    """
    if isinstance(left, Const) and isinstance(right, Const):
        return _of_constants(op, left.value, right.value)
    origins = {_origin(left), _origin(right)}
    if not _is_number_like(left) or not _is_number_like(right):
        if "jax" in origins and origins <= {"jax", "any"}:
            return _unknown_array(left, right)
        return UNKNOWN
    if "jax" in origins:
        name = _JAX_BINARY.get(op)
        if name is None or name not in ARRAY_FUNCTIONS:
            return _unknown_array(left, right)
        made = ARRAY_FUNCTIONS[name](ArrayCall(name, (left, right)))
        return made if isinstance(made, Value) else UNKNOWN
    if "any" in origins:
        return _unknown_array(left, right, "any")
    if origins == {"python"}:
        return _of_python_numbers(op, as_array(left), as_array(right))
    return _of_numpy(op, left, right)


def unary_op(op: str, operand: Value) -> Value:
    """`<op> operand` for "-", "+", "~", "not"."""
    if isinstance(operand, Const):
        return _unary_constant(op, operand.value)
    if not isinstance(operand, Array):
        return UNKNOWN
    if op == "not":
        return _PYTHON_BOOL
    taint = operand.taint
    dtype, weak = operand.dtype, operand.weak
    if dtype == "bool":
        if op != "~" or operand.origin == "any":
            return Array(operand.shape, None, None, operand.origin, taint, operand.batch)
        if operand.origin == "python":
            dtype, weak = "int32", True
    return Array(operand.shape, dtype, weak, operand.origin, taint, operand.batch)


def compare_op(op: str, left: Value, right: Value) -> Value:
    """`left <op> right` for "==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"."""
    if isinstance(left, Const) and isinstance(right, Const):
        return _compare_constants(op, left.value, right.value)
    if op in ("is", "is not"):
        pair = (left, right)
        if any(isinstance(x, Array) for x in pair) and any(
            isinstance(x, Const) and x.value is None for x in pair
        ):
            return Const(op == "is not")
        return UNKNOWN
    if op in ("in", "not in"):
        return UNKNOWN
    origins = {_origin(left), _origin(right)}
    if not _is_number_like(left) or not _is_number_like(right):
        return UNKNOWN
    if "jax" in origins:
        name = _JAX_COMPARISONS[op]
        made = ARRAY_FUNCTIONS[name](ArrayCall(name, (left, right)))
        return made if isinstance(made, Value) else UNKNOWN
    if "any" in origins:
        return UNKNOWN
    if origins == {"python"}:
        return _PYTHON_BOOL
    if _is_python_complex(left, right):
        return UNKNOWN
    return Array(_broadcast(left, right), "bool", False, "numpy")


def _origin(value: Value) -> str:
    if isinstance(value, Array):
        return value.origin
    return "python" if isinstance(value, Const) else "any"


def _is_number_like(value: Value) -> bool:
    if isinstance(value, Array):
        return True
    return isinstance(value, Const) and type(value.value) in _NUMBERS


def _unknown_array(left: Operand, right: Operand, origin: str = "jax") -> Array:
    taint, batch = traces((left, right))
    return Array(None, None, None, origin, taint, batch)


def _broadcast(left: Operand, right: Operand) -> Shape | None:
    try:
        return broadcast(as_array(left).shape, as_array(right).shape)
    except Doubt:
        return None


def _of_constants(op: str, left: Any, right: Any) -> Value:
    compute = _PYTHON_BINARY.get(op)
    if compute is None:
        return UNKNOWN
    if isinstance(left, str) and isinstance(right, str):
        return Const(left + right) if op == "+" and len(left) + len(right) < 10_000 else UNKNOWN
    if type(left) not in _NUMBERS or type(right) not in _NUMBERS:
        return UNKNOWN
    if op in ("**", "<<") and type(left) is int and type(right) is int:
        if abs(right) > 256 or abs(left) > _LARGEST:
            return UNKNOWN
    try:
        found = compute(left, right)
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN
    if type(found) is int and abs(found) > _LARGEST:
        return UNKNOWN
    return Const(found)


def _unary_constant(op: str, value: Any) -> Value:
    if op == "not":
        return Const(not value)
    if type(value) not in _NUMBERS:
        return UNKNOWN
    if op == "-":
        return Const(-value)
    if op == "+":
        return Const(+value)
    if op == "~" and type(value) is int:
        return Const(~value)
    return UNKNOWN


def _compare_constants(op: str, left: Any, right: Any) -> Value:
    if op in ("is", "is not"):
        if left is None or right is None or isinstance(left, bool) or isinstance(right, bool):
            return Const((left is right) == (op == "is"))
        return UNKNOWN
    if op in ("in", "not in"):
        try:
            return Const((left in right) == (op == "in"))
        except TypeError:
            return UNKNOWN
    if op in ("==", "!=") and _may_be_one_dtype(left, right):
        return UNKNOWN
    try:
        return Const(bool(_COMPARISONS[op](left, right)))
    except TypeError:
        return UNKNOWN


def _may_be_one_dtype(left: Any, right: Any) -> bool:
    """Two names of one dtype: equal as dtypes, which compare with any of their names."""
    if not isinstance(left, str) or not isinstance(right, str) or left == right:
        return False
    found = dtype_name(left)
    return found is not None and (left in DTYPES or right in DTYPES) and found == dtype_name(right)


def _of_python_numbers(op: str, left: Array, right: Array) -> Value:
    kinds = [kind(left.dtype), kind(right.dtype)]
    taint, batch = traces((left, right))
    if None in kinds:
        return Array((), None, None, "python", taint, batch)
    order = "bifc"
    widest = max(kinds, key=lambda found: order.index((found or "c").replace("u", "i")))
    typed = {
        "b": Typed("int32", True),
        "i": Typed("int32", True),
        "u": Typed("int32", True),
        "f": Typed("float32", True),
        "c": Typed("complex64", True),
    }[widest or "c"]
    if op == "/" and widest in ("b", "i", "u"):
        typed = Typed("float32", True)
    elif op == "**" and widest != "c":
        typed = UNTYPED
    elif op in ("&", "|", "^") and widest == "b":
        typed = Typed("bool", False)
    elif op == "@":
        return UNKNOWN
    return Array((), typed.dtype, typed.weak, "python", taint, batch)


def _of_numpy(op: str, left: Value, right: Value) -> Value:
    if _is_python_complex(left, right):
        return UNKNOWN
    arrays = [numpy_dtype(x) for x in (left, right) if not is_python_number(x)]
    python = [as_array(x).dtype for x in (left, right) if is_python_number(x)]
    dtype = numpy_promote(arrays, python)
    if op == "@":
        try:
            shape: Shape | None = matmul(*(_ranked(x) for x in (left, right)))
        except Doubt:
            shape = None
        return Array(shape, dtype, False, "numpy")
    if op == "/":
        dtype = "float64" if kind(dtype) in ("b", "i", "u") else numpy_to_inexact(dtype)
    elif (
        (op == "**" and "bool" in arrays)
        or (dtype == "bool" and op not in ("&", "|", "^", "+", "*"))
        or (op in ("<<", ">>", "&", "|", "^") and kind(dtype) not in ("b", "i", "u"))
    ):
        dtype = None
    return Array(_broadcast(left, right), dtype, False if dtype else None, "numpy")


def _is_python_complex(left: Value, right: Value) -> bool:
    """`1j + np.float64(2)` is left to Python's complex: np.float64 is a float to it."""
    return (
        is_python_number(left)
        and kind(as_array(left).dtype) == "c"
        and isinstance(right, Array)
        and right.shape in ((), None)
        and right.dtype in ("float64", None)
    )


def _ranked(value: Value) -> Shape:
    shape = as_array(value).shape
    if shape is None:
        raise Doubt
    return shape
