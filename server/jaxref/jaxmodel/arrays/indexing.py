"""The shape of `array[index]`, by NumPy's rules for basic and advanced indexing."""

from __future__ import annotations

from collections.abc import Sequence

from jaxref.domain.values import Array, Const, Shape, Value
from jaxref.jaxmodel.arrays.call import Doubt, IndexSlice, Operand, as_array, expanded, traces
from jaxref.jaxmodel.arrays.dtypes import kind
from jaxref.jaxmodel.arrays.shapes import broadcast


def index_shape(shape: Shape | None, index: Sequence[Operand] | Value) -> Shape | None:
    """The shape of `a[index]` for `a` of `shape`; None where it is not certain.

    `index` is the sequence of the index's items, `(i,)` for a lone one: constant integers, slices,
    Ellipsis and None, `IndexSlice`, integer arrays, sequences of integers. An index that JAX would
    refuse, a boolean array and an unknown item give None.
    """
    try:
        return _index_shape(shape, index_items(index))
    except Doubt:
        return None


def index_items(index: Operand) -> list[Operand]:
    """The items of a subscript: those of a tuple, else the value alone."""
    opened = expanded(index)
    if isinstance(opened, tuple):
        return list(opened)
    if isinstance(opened, list) and isinstance(index, list):
        return opened
    return [opened]


def _is_ellipsis(item: Operand) -> bool:
    return isinstance(item, Const) and item.value is Ellipsis


def _index_shape(shape: Shape | None, items: list[Operand]) -> Shape:
    ellipses = [position for position, item in enumerate(items) if _is_ellipsis(item)]
    if len(ellipses) > 1:
        raise Doubt
    parts = [_Item(item) for item in items]
    if shape is None:
        raise Doubt
    consumed = sum(part.consumes for part in parts)
    missing = len(shape) - consumed
    if missing < 0:
        raise Doubt
    at = ellipses[0] if ellipses else len(parts)
    full = [_Item(Const(slice(None))) for _ in range(missing)]
    # An ellipsis separates the advanced items around it even where it stands for no axis.
    parts[at : at + len(ellipses)] = full or parts[at : at + len(ellipses)]
    return _assemble(shape, parts)


class _Item:
    """One item of an index: what it consumes and what it makes."""

    __slots__ = ("advanced", "consumes", "is_new", "known_slice", "picks", "whole")

    def __init__(self, item: Operand) -> None:
        self.consumes = 1
        self.is_new = False
        self.advanced: Shape | None = None
        self.picks: int | None = None
        self.known_slice: slice | None = None
        self.whole = False
        if isinstance(item, Const):
            self._of_const(item.value)
        elif isinstance(item, IndexSlice):
            self._of_slice(item)
        elif isinstance(item, (Array, list, tuple)):
            array = as_array(item)
            if kind(array.dtype) not in ("i", "u") or array.shape is None:
                raise Doubt
            self.advanced = array.shape
        else:
            raise Doubt

    def _of_const(self, value: object) -> None:
        if value is None:
            self.consumes, self.is_new = 0, True
        elif value is Ellipsis:
            self.consumes = 0
        elif type(value) is int:
            self.advanced, self.picks = (), value
        elif isinstance(value, slice):
            if any(type(x) not in (int, type(None)) for x in (value.start, value.stop, value.step)):
                raise Doubt
            self.known_slice = value
        else:
            raise Doubt

    def _of_slice(self, item: IndexSlice) -> None:
        bounds = (item.start, item.stop, item.step)
        if all(isinstance(bound, Const) for bound in bounds):
            values = [bound.value for bound in bounds if isinstance(bound, Const)]
            self._of_const(slice(*values))

    def sliced(self, size: int | None) -> int | None:
        """The size that a slice leaves of a dimension."""
        if self.known_slice is None:
            return None
        start, stop, step = self.known_slice.start, self.known_slice.stop, self.known_slice.step
        if step == 0:
            raise Doubt
        if size is None:
            return 0 if start is None and stop == 0 and (step is None or step > 0) else None
        return len(range(*self.known_slice.indices(size)))


def _assemble(shape: Shape, parts: list[_Item]) -> Shape:
    """NumPy's placement: advanced items that stand together stay there, else they come first.

    A constant integer counts as advanced only beside an array; alone it just drops its axis, so
    that `a[0, :, i]` puts the axes of `i` first and `a[0, 1]` needs no rule.
    """
    axis = 0
    made: list[int | None] = []
    first_at: int | None = None
    runs = 0
    inside_run = False
    index_shapes: list[Shape] = []
    has_array = any(part.advanced is not None and part.picks is None for part in parts)
    for part in parts:
        if not part.consumes:
            made.extend([1] if part.is_new else [])
            inside_run = False
            continue
        size = shape[axis]
        axis += 1
        if part.advanced is None:
            made.append(part.sliced(size))
            inside_run = False
            continue
        if part.picks is not None and size is not None and not -size <= part.picks < size:
            raise Doubt
        if has_array:
            if not inside_run:
                runs += 1
                inside_run = True
            if first_at is None:
                first_at = len(made)
            index_shapes.append(part.advanced)
    if first_at is None:
        return tuple(made)
    joined = broadcast(*index_shapes)
    at = first_at if runs == 1 else 0
    return (*made[:at], *joined, *made[at:])


def index_array(array: Array, index: Operand) -> Array:
    """`array[index]`, its taint and batch those of the array, batch also those of the index."""
    items = [index] if isinstance(index, list) else index_items(index)
    _, batch = traces(items)
    return Array(
        index_shape(array.shape, items),
        array.dtype,
        array.weak,
        array.origin,
        array.taint,
        array.batch | batch,
    )
