"""Functions that join arrays and take them apart, in `jax.numpy` and `jax.lax`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from jaxref.domain.values import Array, Const, Shape
from jaxref.jaxmodel.arrays.call import (
    Bound,
    Doubt,
    Operand,
    as_array,
    axis_in,
    int_of,
    ints_of,
    typed_of,
)
from jaxref.jaxmodel.arrays.dtypes import Typed, promote_all, unclaimed
from jaxref.jaxmodel.arrays.manipulation import kept, raised_to
from jaxref.jaxmodel.arrays.registry import Result, result, state, state_call, under
from jaxref.jaxmodel.arrays.shapes import concatenated, known, stacked


def arrays_of(operand: Operand) -> Sequence[Operand]:
    """The arrays of a sequence argument; an array stands for its rows."""
    if isinstance(operand, (tuple, list)):
        return operand
    if isinstance(operand, Array) and operand.shape and operand.shape[0] is not None:
        if operand.shape[0] <= 64:
            row = Array(
                operand.shape[1:],
                operand.dtype,
                operand.weak,
                operand.origin,
                operand.taint,
                operand.batch,
            )
            return [row] * operand.shape[0]
    raise Doubt


def _is_unknown_many(operand: Operand) -> bool:
    """Whether `operand` stands for an unknown number of arrays of one shape."""
    if not isinstance(operand, Array) or not operand.shape:
        return False
    return operand.shape[0] is None


def joined_type(bound: Bound) -> Typed:
    """The promoted type of the arrays that are joined."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    arrays = bound.operand("arrays")
    if isinstance(arrays, Array):
        return Typed(typed_of(arrays).dtype, None)
    return unclaimed(promote_all([typed_of(as_array(item)) for item in arrays_of(arrays)]))


def concatenate_shape(bound: Bound) -> Shape:
    """`concatenate`."""
    found = bound.operand("arrays")
    name = "dimension" if "dimension" in bound.values else "axis"
    if _is_unknown_many(found):
        row = known(as_array(found).shape)[1:]
        along = axis_in(bound.integer(name, 0), len(row))
        return (*row[:along], None, *row[along + 1 :])
    shapes = [as_array(item).shape for item in arrays_of(found)]
    if "axis" in bound.values and not bound.given("axis"):
        return concatenated(shapes, None)
    return concatenated(shapes, bound.integer(name, 0))


def stack_shape(bound: Bound) -> Shape:
    """`stack`."""
    found = bound.operand("arrays")
    if _is_unknown_many(found):
        row = known(as_array(found).shape)[1:]
        at = axis_in(bound.integer("axis", 0), len(row) + 1)
        return (*row[:at], None, *row[at:])
    shapes = [as_array(item).shape for item in arrays_of(bound.operand("arrays"))]
    return stacked(shapes, bound.integer("axis", 0))


def pile(ndim: int, axis: int) -> Callable[[Bound], Shape]:
    """`vstack`, `hstack` and `dstack`."""

    def shape(bound: Bound) -> Shape:
        raised = [
            raised_to(as_array(item).shape, ndim) for item in arrays_of(bound.operand("arrays"))
        ]
        along = 0 if axis == 1 and all(len(found) == 1 for found in raised) else axis
        return concatenated(raised, along)

    return shape


def column_stack_shape(bound: Bound) -> Shape:
    """`column_stack`."""
    columns: list[Shape] = []
    for item in arrays_of(bound.operand("arrays")):
        shape = as_array(item).shape
        if shape is None:
            raise Doubt
        columns.append((shape[0], 1) if len(shape) == 1 else shape or (1, 1))
    return concatenated(columns, 1)


vstack_shape = pile(2, 0)
hstack_shape = pile(1, 1)
dstack_shape = pile(3, 2)

state(under("jax.numpy", "concatenate concat"), "arrays axis dtype", concatenate_shape, joined_type)
state("jax.lax.concatenate", "arrays dimension", concatenate_shape, joined_type)
state("jax.numpy.stack", "arrays axis out dtype", stack_shape, joined_type)
state("jax.numpy.vstack", "arrays dtype", vstack_shape, joined_type)
state("jax.numpy.hstack", "arrays dtype", hstack_shape, joined_type)
state("jax.numpy.dstack", "arrays dtype", dstack_shape, joined_type)
state("jax.numpy.column_stack", "arrays", column_stack_shape, joined_type)


def append_shape(bound: Bound) -> Shape:
    """`append`."""
    shapes = [bound.shape("arr"), bound.shape("values")]
    return concatenated(shapes, int_of(bound.operand("axis")) if bound.given("axis") else None)


state(
    "jax.numpy.append",
    "arr values axis",
    append_shape,
    lambda b: Typed(promote_all([b.typed("arr"), b.typed("values")]).dtype, None),
)


def split_shapes(bound: Bound, axis: int) -> list[Shape]:
    """The shapes of the parts of `split` along `axis`."""
    shape = bound.shape("a")
    along = axis_in(axis, len(shape))
    size = shape[along]
    sections = bound.operand("indices_or_sections")
    if isinstance(sections, Const):
        count = int_of(sections)
        if count <= 0 or count > 256:
            raise Doubt
        sizes = _even_parts(size, count, bound.call.name.endswith("array_split"))
    else:
        sizes = _parts_at(size, ints_of(sections))
    return [(*shape[:along], part, *shape[along + 1 :]) for part in sizes]


def _even_parts(size: int | None, count: int, uneven: bool) -> list[int | None]:
    if size is None:
        return [None] * count
    if size % count and not uneven:
        raise Doubt
    return [size // count + (1 if part < size % count else 0) for part in range(count)]


def _parts_at(size: int | None, cuts: tuple[int, ...]) -> list[int | None]:
    if size is None or any(cut < 0 for cut in cuts):
        return [None] * (len(cuts) + 1)
    edges = [0, *(min(cut, size) for cut in cuts), size]
    return [max(end - start, 0) for start, end in pairwise(edges)]


def splits(axis: int | None) -> Callable[[Bound], Result]:
    """`split` along the `axis` argument, or `vsplit` and its like along a fixed one."""

    def answer(bound: Bound) -> Result:
        along = bound.integer("axis", 0) if axis is None else axis
        if bound.call.name.endswith("hsplit") and len(bound.shape("a")) == 1:
            along = 0
        shapes = split_shapes(bound, along)
        return [result(bound.operand("a"), shape, kept(bound)) for shape in shapes]

    return answer


state_call(under("jax.numpy", "split array_split"), "a indices_or_sections axis", splits(None))
state_call("jax.numpy.vsplit", "a indices_or_sections", splits(0))
state_call("jax.numpy.hsplit", "a indices_or_sections", splits(1))
state_call("jax.numpy.dsplit", "a indices_or_sections", splits(2))


def unstacked(bound: Bound) -> Result:
    """`unstack`."""
    shape = bound.shape("a")
    along = bound.axis("axis", len(shape), 0)
    count = shape[along]
    if count is None or count > 256:
        raise Doubt
    part = result(bound.operand("a"), (*shape[:along], *shape[along + 1 :]), kept(bound))
    return (part,) * count


state_call("jax.numpy.unstack", "a axis", unstacked)
