"""One call of an array function, and what its arguments say: arrays, static numbers, axes, dtypes.

`Doubt` is raised wherever an argument is not known well enough, or would make JAX raise; the
registry turns it into an unknown shape or dtype. It never leaves this package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jaxref.domain.values import NO_TRACES, Array, Const, Shape, ShapeStruct, Unknown, Value
from jaxref.jaxmodel.arrays.dtypes import (
    UNTYPED,
    Typed,
    canonical_dtype,
    dtype_name,
    dtype_of_const,
    narrowed,
    numpy_dtype_of_python,
    numpy_promote,
    promote_all,
    strong,
)
from jaxref.quick_dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Operand: TypeAlias = "Value | Sequence[Operand] | Mapping[str, Operand]"
"""An argument: a value, or a Python tuple, list or dict of operands."""

NO_ARGUMENTS: Mapping[str, Operand] = {}


@dataclass(frozen=True, slots=True)
class ArrayCall:
    """A call of a function by its canonical name, with abstract arguments.

    In `args` and `kwargs`, arrays are `Array`, Python numbers, strings and None are `Const`, dtype
    objects are `Const` of the dtype's name, tuples and lists are Python tuples and lists of such
    values, anything else is `Unknown`. `open` says that further arguments exist which are not
    listed, such as those of a starred value that is not known.
    """

    name: str
    args: tuple[Operand, ...] = ()
    kwargs: Mapping[str, Operand] = field(default_factory=dict)
    open: bool = False


@dataclass(frozen=True, slots=True)
class IndexSlice(Value):
    """A slice in an index whose bounds are values, where they are not all constants."""

    start: Value = field(default_factory=lambda: Const(None))
    stop: Value = field(default_factory=lambda: Const(None))
    step: Value = field(default_factory=lambda: Const(None))


class Doubt(Exception):
    """The answer is not certain."""


def expanded(operand: Operand) -> Operand:
    """`operand` with constant tuples and lists opened into Python tuples and lists of values."""
    if isinstance(operand, Array):
        return operand
    if isinstance(operand, Const):
        if isinstance(operand.value, tuple):
            return tuple(expanded(Const(item)) for item in operand.value)
        if isinstance(operand.value, list):
            return [expanded(Const(item)) for item in operand.value]
        if isinstance(operand.value, type) and operand.value in (bool, int, float, complex):
            return Const(operand.value.__name__)
        return operand
    if isinstance(operand, tuple):
        return tuple(expanded(item) for item in operand)
    if isinstance(operand, list):
        return [expanded(item) for item in operand]
    if isinstance(operand, dict):
        return {key: expanded(item) for key, item in operand.items()}
    return operand


def typed_of(array: Array) -> Typed:
    """The type with which JAX takes part in promotion for `array`, NumPy's 64 bits narrowed."""
    if array.dtype is None:
        return UNTYPED
    dtype = narrowed(array.dtype)
    if array.origin == "python":
        return Typed(dtype, dtype != "bool")
    if array.origin == "numpy":
        return Typed(dtype, False)
    return Typed(dtype, array.weak)


def as_array(operand: Operand) -> Array:
    """`operand` as an array, before any conversion of its dtype. Never raises `Doubt`.

    A Python number keeps the origin "python" and JAX's dtype for it. A sequence becomes one array
    with a new leading axis, with JAX's dtype for it and the origin "any".
    """
    if isinstance(operand, Array):
        return operand
    if isinstance(operand, Const):
        found = dtype_of_const(operand.value)
        if found.dtype is None:
            return Array()
        return Array((), found.dtype, found.weak, "python")
    if isinstance(operand, (tuple, list)):
        return _stacked(operand)
    return Array(origin="any")


def _stacked(items: Sequence[Operand]) -> Array:
    parts = [as_array(item) for item in items]
    taint = frozenset[int]().union(*(part.taint for part in parts))
    batch = frozenset[int]().union(*(part.batch for part in parts))
    if not parts:
        return Array((0,), "float32", False, "any")
    shape = common_shape([part.shape for part in parts])
    found = strong(promote_all([typed_of(part) for part in parts]))
    return Array(
        None if shape is None else (len(parts), *shape),
        found.dtype,
        found.weak,
        "any",
        taint,
        batch,
    )


def common_shape(shapes: Sequence[Shape | None]) -> Shape | None:
    """The one shape that all of `shapes` must have; None where it is not certain."""
    if not shapes or any(shape is None for shape in shapes):
        known = [shape for shape in shapes if shape is not None]
        return known[0] if known and len(known) == len(shapes) else None
    first, *others = [shape for shape in shapes if shape is not None]
    merged = list(first)
    for shape in others:
        if len(shape) != len(merged):
            return None
        for axis, size in enumerate(shape):
            if merged[axis] is None:
                merged[axis] = size
            elif size is not None and size != merged[axis]:
                return None
    return tuple(merged)


def numpy_dtype(operand: Operand) -> str | None:
    """The dtype `np.asarray(operand)` has."""
    if isinstance(operand, Array):
        if operand.origin == "python":
            return numpy_dtype_of_python(operand.dtype)
        return operand.dtype if operand.origin != "any" else None
    if isinstance(operand, Const):
        return numpy_dtype_of_python(dtype_of_const(operand.value).dtype)
    if isinstance(operand, (tuple, list)):
        return numpy_promote([numpy_dtype(item) for item in operand], []) if operand else "float64"
    return None


def is_python_number(operand: Operand) -> bool:
    """Whether `operand` certainly is a Python number, so that NumPy's promotion sees its kind only."""
    if isinstance(operand, Array):
        return operand.origin == "python"
    return isinstance(operand, Const)


def traces(operands: Sequence[Operand] | Operand) -> tuple[frozenset[int], frozenset[int]]:
    """The taint and the batch traces of everything in `operands`."""
    if isinstance(operands, Array):
        return operands.taint, operands.batch
    if isinstance(operands, Value):
        if isinstance(operands, IndexSlice):
            return traces((operands.start, operands.stop, operands.step))
        return NO_TRACES, NO_TRACES
    items = operands.values() if isinstance(operands, dict) else operands
    taint: frozenset[int] = NO_TRACES
    batch: frozenset[int] = NO_TRACES
    for item in items:
        more_taint, more_batch = traces(item)
        taint |= more_taint
        batch |= more_batch
    return taint, batch


def dim_of(operand: Operand) -> int | None:
    """The size that an integer stands for; None where its value is not known."""
    if isinstance(operand, Const):
        if type(operand.value) in (int, bool) and operand.value >= 0:
            return int(operand.value)
        raise Doubt
    if isinstance(operand, (Array, Unknown)):
        return None
    raise Doubt


def dims_of(operand: Operand) -> Shape:
    """The shape that a `shape=` argument stands for."""
    if isinstance(operand, Const):
        return (dim_of(operand),)
    if isinstance(operand, (tuple, list)):
        return tuple(dim_of(item) for item in operand)
    if isinstance(operand, Array) and operand.shape is not None:
        if operand.shape == ():
            return (None,)
        if len(operand.shape) == 1 and operand.shape[0] is not None:
            return (None,) * operand.shape[0]
    raise Doubt


def int_of(operand: Operand) -> int:
    """The value of a constant integer."""
    if isinstance(operand, Const) and type(operand.value) in (int, bool):
        return int(operand.value)
    raise Doubt


def ints_of(operand: Operand) -> tuple[int, ...]:
    """The values of a constant integer or of a sequence of them."""
    if isinstance(operand, (tuple, list)):
        return tuple(int_of(item) for item in operand)
    return (int_of(operand),)


def axis_in(axis: int, ndim: int) -> int:
    """`axis` counted from the front."""
    if not -ndim <= axis < ndim:
        raise Doubt
    return axis % ndim


def axes_in(axes: Sequence[int], ndim: int) -> tuple[int, ...]:
    """`axes` counted from the front, each at most once."""
    found = tuple(axis_in(axis, ndim) for axis in axes)
    if len(set(found)) != len(found):
        raise Doubt
    return found


def is_none(operand: Operand | None) -> bool:
    """Whether the argument is absent or the constant None."""
    return operand is None or (isinstance(operand, Const) and operand.value is None)


class Bound:
    """The arguments of a call by parameter name, with readers that raise `Doubt`."""

    __slots__ = ("call", "rest", "values")

    def __init__(
        self, call: ArrayCall, values: dict[str, Operand], rest: tuple[Operand, ...]
    ) -> None:
        self.call = call
        self.values = values
        self.rest = rest

    def given(self, name: str) -> bool:
        """Whether the argument is there and is not the constant None."""
        return not is_none(self.values.get(name))

    def operand(self, name: str) -> Operand:
        """The argument itself."""
        if name not in self.values:
            raise Doubt
        return self.values[name]

    def array(self, name: str) -> Array:
        """The argument as an array."""
        return as_array(self.operand(name))

    def shape(self, name: str) -> Shape:
        """The argument's shape, of known rank."""
        found = self.operand(name)
        shape = found.shape if isinstance(found, ShapeStruct) else as_array(found).shape
        if shape is None:
            raise Doubt
        return shape

    def typed(self, name: str) -> Typed:
        """The argument's type in JAX's promotion."""
        found = self.operand(name)
        if isinstance(found, ShapeStruct):
            return Typed(narrowed(found.dtype), None)
        return typed_of(as_array(found))

    def integer(self, name: str, default: int) -> int:
        """A static integer."""
        return int_of(self.values[name]) if name in self.values else default

    def size(self, name: str) -> int | None:
        """A static integer that is a dimension; None where its value is not known."""
        return dim_of(self.operand(name))

    def flag(self, name: str, default: bool) -> bool:
        """A static boolean."""
        if name not in self.values:
            return default
        found = self.values[name]
        if isinstance(found, Const) and (found.value is None or type(found.value) in (bool, int)):
            return bool(found.value)
        raise Doubt

    def text(self, name: str, default: str | None) -> str | None:
        """A static string or None."""
        if name not in self.values:
            return default
        found = self.values[name]
        if isinstance(found, Const) and (found.value is None or isinstance(found.value, str)):
            return found.value
        raise Doubt

    def axis(self, name: str, ndim: int, default: int) -> int:
        """One axis counted from the front."""
        return axis_in(self.integer(name, default), ndim)

    def axes(self, name: str, ndim: int) -> tuple[int, ...]:
        """The axes to reduce, counted from the front; all of them where the argument is None."""
        if not self.given(name):
            return tuple(range(ndim))
        return axes_in(ints_of(self.values[name]), ndim)

    def dtype(self, name: str, default: Typed = UNTYPED) -> Typed:
        """The JAX dtype that a `dtype=` argument asks for; `default` where it is absent or None."""
        if not self.given(name):
            return default
        found = self.values[name]
        if isinstance(found, Const) and isinstance(found.value, str):
            dtype = canonical_dtype(found.value)
            return Typed(dtype, False if dtype is not None else None)
        return UNTYPED

    def numpy_dtype(self, name: str, default: str | None) -> str | None:
        """The NumPy dtype that a `dtype=` argument asks for."""
        if not self.given(name):
            return default
        found = self.values[name]
        if isinstance(found, Const) and isinstance(found.value, str):
            return dtype_name(found.value)
        return None


_WITHOUT_EFFECT = frozenset(
    {"copy", "device", "order", "out", "out_sharding", "precision", "sharding"}
)
"""Keywords that change neither shape nor dtype, wherever they are accepted."""


def bind(call: ArrayCall, parameters: tuple[str, ...]) -> Bound:
    """The arguments of `call` under the names of `parameters`, `*` collecting the rest.

    Raises `Doubt` where they do not fit, and for keywords whose effect is not known.
    """
    values: dict[str, Operand] = {}
    rest: tuple[Operand, ...] = ()
    position = 0
    for position, operand in enumerate(call.args):
        if position >= len(parameters):
            raise Doubt
        if parameters[position] == "*":
            rest = tuple(expanded(item) for item in call.args[position:])
            break
        values[parameters[position]] = expanded(operand)
    for name, operand in call.kwargs.items():
        if name in values or (name not in parameters and name not in _WITHOUT_EFFECT):
            raise Doubt
        values[name] = expanded(operand)
    return Bound(call, values, rest)
