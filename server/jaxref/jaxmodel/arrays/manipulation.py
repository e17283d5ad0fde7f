"""Functions that rearrange, join, split and repeat arrays, in `jax.numpy`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxref.domain.values import Const, Shape, ShapeStruct
from jaxref.jaxmodel.arrays.call import (
    Bound,
    Doubt,
    Operand,
    as_array,
    axis_in,
    dim_of,
    dims_of,
    int_of,
    ints_of,
    typed_of,
)
from jaxref.jaxmodel.arrays.dtypes import Typed, narrowed, promote_all, unclaimed
from jaxref.jaxmodel.arrays.registry import Flow, Result, result, state, state_call, under
from jaxref.jaxmodel.arrays.shapes import (
    PYTHON_INT,
    broadcast,
    expanded_dims,
    moved,
    reshape_target,
    reshaped,
    shape_value,
    size_of,
    squeezed,
    swapped,
    times,
    total,
    transposed,
)


def kept(bound: Bound) -> Typed:
    """The operand's dtype, its weak type not claimed."""
    return unclaimed(bound.typed("a"))


def reshape_shape(bound: Bound) -> Shape:
    """`reshape`. An unknown target dimension beside a -1 leaves both unknown."""
    return reshaped(bound.array("a").shape, reshape_target(bound.operand("shape")))


state("jax.numpy.reshape", "a shape order", reshape_shape, kept)
state("jax.lax.reshape", "a shape dimensions", reshape_shape, kept)
state("jax.numpy.ravel", "a order", lambda b: (size_of(b.shape("a")),), kept)


def transpose_shape(bound: Bound) -> Shape:
    """`transpose`."""
    axes = ints_of(bound.operand("axes")) if bound.given("axes") else None
    return transposed(bound.shape("a"), axes)


state("jax.numpy.transpose", "a axes", transpose_shape, kept)
state("jax.numpy.permute_dims", "a axes", transpose_shape, kept)
state(
    "jax.lax.transpose",
    "a permutation",
    lambda b: transposed(b.shape("a"), ints_of(b.operand("permutation"))),
    kept,
)


def matrix_transpose_shape(bound: Bound) -> Shape:
    """The last two axes swapped."""
    return swapped(bound.shape("a"), -1, -2)


state("jax.numpy.matrix_transpose", "a", matrix_transpose_shape, kept)


def swapaxes_shape(bound: Bound) -> Shape:
    """`swapaxes`."""
    axes = int_of(bound.operand("axis1")), int_of(bound.operand("axis2"))
    return swapped(bound.shape("a"), *axes)


def moveaxis_shape(bound: Bound) -> Shape:
    """`moveaxis`."""
    source, destination = bound.operand("source"), bound.operand("destination")
    return moved(bound.shape("a"), ints_of(source), ints_of(destination))


def expand_dims_shape(bound: Bound) -> Shape:
    """`expand_dims`."""
    return expanded_dims(bound.shape("a"), ints_of(bound.operand("axis")))


def squeeze_shape(bound: Bound) -> Shape:
    """`squeeze`."""
    axes = ints_of(bound.operand("axis")) if bound.given("axis") else None
    return squeezed(bound.shape("a"), axes)


state(
    "jax.numpy.swapaxes",
    "a axis1 axis2",
    swapaxes_shape,
    kept,
)
state("jax.numpy.moveaxis", "a source destination", moveaxis_shape, kept)


def rollaxis_shape(bound: Bound) -> Shape:
    """`rollaxis`."""
    shape = list(bound.shape("a"))
    axis, start = bound.axis("axis", len(shape), 0), bound.integer("start", 0)
    if not -len(shape) <= start <= len(shape):
        raise Doubt
    start += len(shape) if start < 0 else 0
    size = shape.pop(axis)
    shape.insert(start - 1 if start > axis else start, size)
    return tuple(shape)


state("jax.numpy.rollaxis", "a axis start", rollaxis_shape, kept)
state(under("jax.numpy jax.lax", "expand_dims"), "a axis", expand_dims_shape, kept)
state(
    "jax.numpy.squeeze",
    "a axis",
    squeeze_shape,
    kept,
)
state(
    "jax.lax.squeeze",
    "a dimensions",
    lambda b: squeezed(b.shape("a"), ints_of(b.operand("dimensions"))),
    kept,
)


def broadcast_to_shape(bound: Bound) -> Shape:
    """The asked-for shape, in doubt where the array cannot have it."""
    target = dims_of(bound.operand("shape"))
    found = bound.array("a").shape
    if found is not None:
        if len(found) > len(target):
            raise Doubt
        broadcast(found, target)
    return target


state("jax.numpy.broadcast_to", "a shape", broadcast_to_shape, kept)
state(
    "jax.lax.broadcast",
    "a sizes",
    lambda b: (*dims_of(b.operand("sizes")), *b.shape("a")),
    kept,
)
state(
    "jax.lax.broadcast_in_dim",
    "a shape broadcast_dimensions",
    lambda b: dims_of(b.operand("shape")),
    kept,
)


def flipped(bound: Bound) -> Shape:
    """A function that keeps the shape."""
    return bound.shape("a")


def triangle_shape(bound: Bound) -> Shape:
    """`tril` and `triu` of matrices."""
    shape = bound.shape("a")
    if len(shape) < 2:
        raise Doubt
    return shape


state(under("jax.numpy", "flip fliplr flipud"), "a axis", flipped, kept)
state("jax.numpy.roll", "a shift axis", flipped, kept, derivative_of="a")
state(under("jax.numpy", "tril triu"), "a k", triangle_shape, kept)
state("jax.lax.rev", "a dimensions", flipped, kept)


def rot90_shape(bound: Bound) -> Shape:
    """`rot90`."""
    shape = bound.shape("a")
    axes = ints_of(bound.operand("axes")) if "axes" in bound.values else (0, 1)
    first, second = (axis_in(axis, len(shape)) for axis in axes)
    return swapped(shape, first, second) if bound.integer("k", 1) % 2 else shape


state("jax.numpy.rot90", "a k axes", rot90_shape, kept)


def tile_shape(bound: Bound) -> Shape:
    """`tile`."""
    shape, factors = bound.shape("a"), dims_of(bound.operand("reps"))
    ndim = max(len(shape), len(factors))
    shape = (1,) * (ndim - len(shape)) + shape
    factors = (1,) * (ndim - len(factors)) + factors
    return tuple(times(size, factor) for size, factor in zip(shape, factors, strict=True))


state("jax.numpy.tile", "a reps", tile_shape, kept)


def repeat_shape(bound: Bound) -> Shape:
    """`repeat`."""
    shape = bound.shape("a")
    if bound.given("axis"):
        along = bound.axis("axis", len(shape), 0)
    else:
        shape, along = (size_of(shape),), 0
    if bound.given("total_repeat_length"):
        made = bound.size("total_repeat_length")
    else:
        repeats = bound.operand("repeats")
        if isinstance(repeats, Const):
            made = times(shape[along], dim_of(repeats))
        elif isinstance(repeats, (tuple, list)) and len(repeats) == shape[along]:
            made = total([dim_of(item) for item in repeats])
        else:
            made = None
    return (*shape[:along], made, *shape[along + 1 :])


state(
    "jax.numpy.repeat",
    "a repeats axis total_repeat_length",
    repeat_shape,
    kept,
    derivative_of="a",
)


def pad_shape(bound: Bound) -> Shape:
    """`pad`."""
    shape = bound.shape("a")
    width = bound.operand("pad_width")
    if isinstance(width, Const):
        amount = dim_of(width)
        pairs: list[tuple[int | None, int | None]] = [(amount, amount)] * len(shape)
    elif isinstance(width, (tuple, list)):
        pairs = _pad_pairs(width, len(shape))
    else:
        pairs = [(None, None)] * len(shape)
    return tuple(
        total((before, size, after)) for size, (before, after) in zip(shape, pairs, strict=True)
    )


def _pad_pairs(width: Sequence[Operand], ndim: int) -> list[tuple[int | None, int | None]]:
    if width and all(isinstance(item, Const) for item in width):
        sizes = [dim_of(item) for item in width]
        if len(sizes) > 2:
            raise Doubt
        return [(sizes[0], sizes[-1])] * ndim
    pairs: list[tuple[int | None, int | None]] = []
    for item in width:
        if not isinstance(item, (tuple, list)) or not 1 <= len(item) <= 2:
            raise Doubt
        sizes = [dim_of(part) for part in item]
        pairs.append((sizes[0], sizes[-1]))
    if len(pairs) == 1:
        return pairs * ndim
    if len(pairs) != ndim:
        raise Doubt
    return pairs


state("jax.numpy.pad", "a pad_width mode", pad_shape, kept)


def raised_to(shape: Shape | None, ndim: int) -> Shape:
    """`shape` with at least `ndim` axes, as `atleast_1d`, `_2d` and `_3d` add them."""
    if shape is None:
        raise Doubt
    if ndim == 3:
        if len(shape) == 0:
            return (1, 1, 1)
        if len(shape) == 1:
            return (1, shape[0], 1)
        if len(shape) == 2:
            return (*shape, 1)
        return shape
    return (1,) * max(0, ndim - len(shape)) + shape


def atleast(ndim: int) -> Callable[[Bound], Result]:
    """`atleast_1d` and its like: an array from one, a list from several."""

    def answer(bound: Bound) -> Result:
        made: list[Result] = []
        for item in bound.rest:
            array = as_array(item)
            shape = raised_to(array.shape, ndim) if array.shape is not None else None
            made.append(result(array, shape, unclaimed(typed_of(array))))
        return made[0] if len(made) == 1 else made

    return answer


for _ndim in (1, 2, 3):
    state_call(f"jax.numpy.atleast_{_ndim}d", "*", atleast(_ndim))


def broadcast_arrays(bound: Bound) -> Result:
    """`broadcast_arrays`."""
    arrays = [as_array(item) for item in bound.rest]
    shape = broadcast(*(array.shape for array in arrays))
    return [result(array, shape, Typed(typed_of(array).dtype, None)) for array in arrays]


state_call("jax.numpy.broadcast_arrays", "*", broadcast_arrays)


def broadcast_shapes(bound: Bound) -> Result:
    """`broadcast_shapes`: a tuple of integers."""
    shape = broadcast(*(dims_of(item) for item in bound.rest))
    return shape_value(shape)


state_call(under("jax.numpy numpy", "broadcast_shapes"), "*", broadcast_shapes)


def meshgrid(bound: Bound) -> Result:
    """`meshgrid` of vectors."""
    if bound.flag("sparse", False):
        raise Doubt
    arrays = [as_array(item) for item in bound.rest]
    sizes: list[int | None] = []
    for array in arrays:
        if array.shape is None or len(array.shape) > 1:
            raise Doubt
        sizes.append(array.shape[0] if array.shape else 1)
    if bound.text("indexing", "xy") == "xy" and len(sizes) >= 2:
        sizes[0], sizes[1] = sizes[1], sizes[0]
    return [result(array, tuple(sizes), Typed(typed_of(array).dtype, None)) for array in arrays]


state_call("jax.numpy.meshgrid", "*", meshgrid)


def diag_shape(bound: Bound) -> Shape:
    """`diag`: a matrix from a vector, a vector from a matrix."""
    shape, k = bound.shape("a"), bound.integer("k", 0)
    if len(shape) == 1:
        size = total((shape[0], abs(k)))
        return (size, size)
    if len(shape) == 2:
        return (_diagonal_size(shape[0], shape[1], k),)
    raise Doubt


def _diagonal_size(rows: int | None, columns: int | None, k: int) -> int | None:
    if rows is None or columns is None:
        return None
    return max(0, min(rows + min(k, 0), columns - max(k, 0)))


def diagonal_shape(bound: Bound) -> Shape:
    """`diagonal`."""
    shape = bound.shape("a")
    first, second = bound.axis("axis1", len(shape), 0), bound.axis("axis2", len(shape), 1)
    if first == second:
        raise Doubt
    others = tuple(size for axis, size in enumerate(shape) if axis not in (first, second))
    return (*others, _diagonal_size(shape[first], shape[second], bound.integer("offset", 0)))


state("jax.numpy.diag", "a k", diag_shape, kept)
state("jax.numpy.diagonal", "a offset axis1 axis2", diagonal_shape, kept)


def diagflat_shape(bound: Bound) -> Shape:
    """`diagflat`."""
    size = total((size_of(bound.shape("a")), abs(bound.integer("k", 0))))
    return (size, size)


state("jax.numpy.diagflat", "a k", diagflat_shape, kept)


def shape_call(bound: Bound) -> Result:
    """`jnp.shape`."""
    return shape_value(bound.shape("a"))


def ndim_call(bound: Bound) -> Result:
    """`jnp.ndim`."""
    return Const(len(bound.shape("a")))


def size_call(bound: Bound) -> Result:
    """`jnp.size`, along an axis where one is given."""
    shape = bound.shape("a")
    if bound.given("axis"):
        found = shape[bound.axis("axis", len(shape), 0)]
    else:
        found = size_of(shape)
    return PYTHON_INT if found is None else Const(found)


state_call(under("jax.numpy numpy", "shape"), "a", shape_call)
state_call(under("jax.numpy numpy", "ndim"), "a", ndim_call)
state_call(under("jax.numpy numpy", "size"), "a axis", size_call)


def take_shape(bound: Bound) -> Shape:
    """`take`."""
    shape, indices = bound.shape("a"), bound.shape("indices")
    if not bound.given("axis"):
        return indices
    along = bound.axis("axis", len(shape), 0)
    return (*shape[:along], *indices, *shape[along + 1 :])


state(
    "jax.numpy.take",
    "a indices axis out mode unique_indices indices_are_sorted fill_value",
    take_shape,
    kept,
    derivative_of="a",
)


def take_along_shape(bound: Bound) -> Shape:
    """`take_along_axis`: the other axes broadcast."""
    shape, indices = bound.shape("arr"), bound.shape("indices")
    if not bound.given("axis"):
        if "axis" in bound.values:
            return indices
        raise Doubt
    if len(shape) != len(indices):
        raise Doubt
    along = bound.axis("axis", len(shape), 0)
    return tuple(
        indices[axis] if axis == along else size
        for axis, size in enumerate(
            broadcast(
                (*shape[:along], 1, *shape[along + 1 :]),
                (*indices[:along], 1, *indices[along + 1 :]),
            )
        )
    )


state(
    "jax.numpy.take_along_axis",
    "arr indices axis mode fill_value",
    take_along_shape,
    lambda b: Typed(b.typed("arr").dtype, None),
    derivative_of="arr",
)


def result_type(bound: Bound) -> Result:
    """`jnp.result_type`: the name of the dtype; a string argument is a dtype itself."""
    types: list[Typed] = []
    for item in bound.rest:
        if isinstance(item, Const) and isinstance(item.value, str):
            types.append(Bound(bound.call, {"dtype": item}, ()).dtype("dtype"))
        elif isinstance(item, ShapeStruct):
            types.append(Typed(item.dtype, False))
        else:
            types.append(typed_of(as_array(item)))
    return _dtype_value(promote_all(types))


def promote_types(bound: Bound) -> Result:
    """`jnp.promote_types` of two dtype names; 64-bit ones are not narrowed there, so left out."""
    types: list[Typed] = []
    for name in ("a", "b"):
        asked = bound.numpy_dtype(name, None)
        if asked is None or narrowed(asked) != asked:
            raise Doubt
        types.append(Typed(asked, False))
    return _dtype_value(promote_all(types))


def _dtype_value(found: Typed) -> Result:
    if found.dtype is None:
        raise Doubt
    return Const(found.dtype)


state_call("jax.numpy.result_type", "*", result_type)
state_call("jax.numpy.promote_types", "a b", promote_types)
state(
    under("jax.numpy", "array_equal array_equiv allclose"),
    "a b rtol atol equal_nan",
    lambda b: (),
    lambda b: Typed("bool", None),
    flow=Flow.STEPS,
)
