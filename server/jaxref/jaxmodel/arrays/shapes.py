"""Arithmetic on shapes: broadcasting, reshaping, reducing, joining, contracting.

A dimension of unknown size is None and stays None unless the operation proves its size. `Doubt` is
raised where the rank of the result is not certain, and where JAX would raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from jaxref.domain.values import Array, Const, Shape
from jaxref.jaxmodel.arrays.call import Doubt, Operand, axes_in, axis_in, dim_of, dims_of

PYTHON_INT = Array((), "int32", True, "python")
"""A Python int of unknown value."""


def shape_value(shape: Shape) -> tuple[Const | Array, ...]:
    """A shape as the tuple that a program sees."""
    return tuple(PYTHON_INT if size is None else Const(size) for size in shape)


def known(shape: Shape | None) -> Shape:
    """`shape`, in doubt where its rank is not known."""
    if shape is None:
        raise Doubt
    return shape


def broadcast(*shapes: Shape | None) -> Shape:
    """The shape of an element-wise operation."""
    ranked = [known(shape) for shape in shapes]
    ndim = max((len(shape) for shape in ranked), default=0)
    sizes: list[int | None] = []
    for axis in range(ndim):
        found = [
            shape[axis - ndim + len(shape)] for shape in ranked if axis - ndim + len(shape) >= 0
        ]
        sizes.append(_broadcast_dim(found))
    return tuple(sizes)


def _broadcast_dim(sizes: Sequence[int | None]) -> int | None:
    wide = {size for size in sizes if size is not None and size != 1}
    if len(wide) > 1:
        raise Doubt
    if wide:
        return wide.pop()
    return None if None in sizes else 1


def same_dim(a: int | None, b: int | None) -> int | None:
    """The size of two dimensions that must be equal."""
    if a is not None and b is not None and a != b:
        raise Doubt
    return b if a is None else a


def size_of(shape: Shape) -> int | None:
    """The number of elements; None where a dimension is not known, unless another is zero."""
    if 0 in shape:
        return 0
    if None in shape:
        return None
    return prod(size for size in shape if size is not None)


def reduced(shape: Shape, axes: Iterable[int], keepdims: bool) -> Shape:
    """`shape` with `axes`, counted from the front, removed or kept as ones."""
    gone = set(axes)
    if keepdims:
        return tuple(1 if axis in gone else size for axis, size in enumerate(shape))
    return tuple(size for axis, size in enumerate(shape) if axis not in gone)


def reshape_target(operand: Operand) -> Shape:
    """The new shape of `reshape`, in which -1 is allowed."""
    if isinstance(operand, (tuple, list)):
        return tuple(_reshape_dim(item) for item in operand)
    if isinstance(operand, Const):
        return (_reshape_dim(operand),)
    return dims_of(operand)


def _reshape_dim(operand: Operand) -> int | None:
    if isinstance(operand, Const) and operand.value == -1:
        return -1
    return dim_of(operand)


def reshaped(shape: Shape | None, target: Sequence[int | None]) -> Shape:
    """`shape` reshaped to `target`, in which one dimension may be -1."""
    if list(target).count(-1) > 1 or any(size is not None and size < -1 for size in target):
        raise Doubt
    if -1 not in target:
        return tuple(target)
    total = size_of(shape) if shape is not None else None
    others = [size for size in target if size != -1]
    filled: int | None = None
    if total is not None and None not in others:
        rest = prod(size for size in others if size is not None)
        if rest == 0 or total % rest:
            raise Doubt
        filled = total // rest
    return tuple(filled if size == -1 else size for size in target)


def transposed(shape: Shape, axes: Sequence[int] | None) -> Shape:
    """`shape` with its axes permuted, reversed where `axes` is None."""
    if axes is None:
        return shape[::-1]
    order = axes_in(axes, len(shape))
    if len(order) != len(shape):
        raise Doubt
    return tuple(shape[axis] for axis in order)


def moved(shape: Shape, source: Sequence[int], destination: Sequence[int]) -> Shape:
    """`moveaxis`."""
    ndim = len(shape)
    origin, target = axes_in(source, ndim), axes_in(destination, ndim)
    if len(origin) != len(target):
        raise Doubt
    order = [axis for axis in range(ndim) if axis not in origin]
    for to, axis in sorted(zip(target, origin, strict=True)):
        order.insert(to, axis)
    return tuple(shape[axis] for axis in order)


def swapped(shape: Shape, first: int, second: int) -> Shape:
    """`swapaxes`."""
    a, b = axis_in(first, len(shape)), axis_in(second, len(shape))
    sizes = list(shape)
    sizes[a], sizes[b] = sizes[b], sizes[a]
    return tuple(sizes)


def expanded_dims(shape: Shape, axes: Sequence[int]) -> Shape:
    """`expand_dims`: ones at `axes` of the result."""
    ndim = len(shape) + len(axes)
    new = axes_in(axes, ndim)
    old = iter(shape)
    return tuple(1 if axis in new else next(old) for axis in range(ndim))


def squeezed(shape: Shape, axes: Sequence[int] | None) -> Shape:
    """`squeeze`; in doubt where all ones go and a dimension is not known."""
    if axes is None:
        if None in shape:
            raise Doubt
        return tuple(size for size in shape if size != 1)
    gone = axes_in(axes, len(shape))
    if any(shape[axis] not in (1, None) for axis in gone):
        raise Doubt
    return reduced(shape, gone, False)


def concatenated(shapes: Sequence[Shape | None], axis: int | None) -> Shape:
    """`concatenate`, of flattened arrays where `axis` is None."""
    if not shapes:
        raise Doubt
    if axis is None:
        return (total([size_of(known(shape)) for shape in shapes]),)
    ranked = [known(shape) for shape in shapes]
    ndim = len(ranked[0])
    if any(len(shape) != ndim for shape in ranked):
        raise Doubt
    along = axis_in(axis, ndim)
    sizes: list[int | None] = []
    for position in range(ndim):
        column = [shape[position] for shape in ranked]
        if position == along:
            sizes.append(total(column))
        else:
            merged = column[0]
            for size in column[1:]:
                merged = same_dim(merged, size)
            sizes.append(merged)
    return tuple(sizes)


def stacked(shapes: Sequence[Shape | None], axis: int) -> Shape:
    """`stack`: equal shapes along a new axis."""
    if not shapes:
        raise Doubt
    merged = known(shapes[0])
    for shape in shapes[1:]:
        other = known(shape)
        if len(other) != len(merged):
            raise Doubt
        merged = tuple(same_dim(a, b) for a, b in zip(merged, other, strict=True))
    at = axis_in(axis, len(merged) + 1)
    return (*merged[:at], len(shapes), *merged[at:])


def total(sizes: Iterable[int | None]) -> int | None:
    """The sum of dimensions."""
    found = 0
    for size in sizes:
        if size is None:
            return None
        found += size
    return found


def times(size: int | None, factor: int | None) -> int | None:
    """The product of dimensions."""
    if size == 0 or factor == 0:
        return 0
    return None if size is None or factor is None else size * factor


def matmul(a: Shape, b: Shape) -> Shape:
    """`matmul`."""
    if not a or not b:
        raise Doubt
    if len(a) == 1 and len(b) == 1:
        same_dim(a[0], b[0])
        return ()
    if len(a) == 1:
        same_dim(a[0], b[-2])
        return (*b[:-2], b[-1])
    if len(b) == 1:
        same_dim(a[-1], b[0])
        return a[:-1]
    same_dim(a[-1], b[-2])
    return (*broadcast(a[:-2], b[:-2]), a[-2], b[-1])


def dot(a: Shape, b: Shape) -> Shape:
    """`dot`."""
    if not a or not b:
        return a + b
    if len(b) == 1:
        same_dim(a[-1], b[0])
        return a[:-1]
    same_dim(a[-1], b[-2])
    return (*a[:-1], *b[:-2], b[-1])
