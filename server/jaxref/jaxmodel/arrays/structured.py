"""`jax.lax` functions on windows, slices and batches: slicing, gathering, products, convolutions."""

from __future__ import annotations

from jaxref.domain.values import Array, Const, Shape
from jaxref.jaxmodel.arrays.call import (
    Bound,
    Doubt,
    Operand,
    as_array,
    axes_in,
    dims_of,
    int_of,
    ints_of,
    typed_of,
)
from jaxref.jaxmodel.arrays.dtypes import UNTYPED, Typed, kind, narrowed, unclaimed
from jaxref.jaxmodel.arrays.registry import Flow, Result, result, state, state_call, under
from jaxref.jaxmodel.arrays.shapes import broadcast, same_dim, total


def kept(bound: Bound) -> Typed:
    """The operand's dtype, its weak type not claimed."""
    return unclaimed(bound.typed("operand"))


def operand_shape(bound: Bound) -> Shape:
    """The operand's shape."""
    return bound.shape("operand")


def slice_shape(bound: Bound) -> Shape:
    """`lax.slice`: static bounds."""
    starts = ints_of(bound.operand("start_indices"))
    limits = ints_of(bound.operand("limit_indices"))
    steps = ints_of(bound.operand("strides")) if bound.given("strides") else (1,) * len(starts)
    shape = bound.shape("operand")
    if not len(starts) == len(limits) == len(steps) == len(shape):
        raise Doubt
    return tuple(
        len(range(start, limit, step))
        for start, limit, step in zip(starts, limits, steps, strict=True)
    )


def slice_in_dim_shape(bound: Bound) -> Shape:
    """`lax.slice_in_dim`: Python's slicing along one axis."""
    shape = bound.shape("operand")
    along = bound.axis("axis", len(shape), 0)
    size = shape[along]
    start = int_of(bound.operand("start_index")) if bound.given("start_index") else None
    limit = int_of(bound.operand("limit_index")) if bound.given("limit_index") else None
    step = bound.integer("stride", 1)
    left = None if size is None else len(range(*slice(start, limit, step).indices(size)))
    return (*shape[:along], left, *shape[along + 1 :])


def dynamic_slice_shape(bound: Bound) -> Shape:
    """`lax.dynamic_slice`: the sizes that are asked for."""
    return dims_of(bound.operand("slice_sizes"))


def dynamic_slice_in_dim_shape(bound: Bound) -> Shape:
    """`lax.dynamic_slice_in_dim`."""
    shape = bound.shape("operand")
    along = bound.axis("axis", len(shape), 0)
    return (*shape[:along], bound.size("slice_size"), *shape[along + 1 :])


def index_in_dim_shape(bound: Bound) -> Shape:
    """`lax.index_in_dim` and `dynamic_index_in_dim`."""
    shape = bound.shape("operand")
    along = bound.axis("axis", len(shape), 0)
    middle = (1,) if bound.flag("keepdims", True) else ()
    return (*shape[:along], *middle, *shape[along + 1 :])


state("jax.lax.slice", "operand start_indices limit_indices strides", slice_shape, kept)
state(
    "jax.lax.slice_in_dim",
    "operand start_index limit_index stride axis",
    slice_in_dim_shape,
    kept,
)
state(
    "jax.lax.dynamic_slice",
    "operand start_indices slice_sizes allow_negative_indices",
    dynamic_slice_shape,
    kept,
    derivative_of="operand",
)
state(
    "jax.lax.dynamic_slice_in_dim",
    "operand start_index slice_size axis allow_negative_indices",
    dynamic_slice_in_dim_shape,
    kept,
    derivative_of="operand",
)
state("jax.lax.index_in_dim", "operand index axis keepdims", index_in_dim_shape, kept)
state(
    "jax.lax.dynamic_index_in_dim",
    "operand index axis keepdims allow_negative_indices",
    index_in_dim_shape,
    kept,
    derivative_of="operand",
)
state(
    "jax.lax.dynamic_update_slice",
    "operand update start_indices allow_negative_indices",
    operand_shape,
    kept,
    derivative_of="operand update",
)
state(
    under("jax.lax", "dynamic_update_slice_in_dim dynamic_update_index_in_dim"),
    "operand update index axis allow_negative_indices",
    operand_shape,
    kept,
    derivative_of="operand update",
)
state(
    under("jax.lax", "scatter scatter_add scatter_mul scatter_min scatter_max scatter_sub"),
    "operand scatter_indices updates dimension_numbers indices_are_sorted unique_indices mode",
    operand_shape,
    kept,
    derivative_of="operand updates",
)


def unknown_shape(bound: Bound) -> Shape:
    """A shape that is not derived."""
    raise Doubt


state(
    "jax.lax.gather",
    "operand start_indices dimension_numbers slice_sizes unique_indices indices_are_sorted "
    "mode fill_value",
    unknown_shape,
    kept,
    derivative_of="operand",
)


def pad_shape(bound: Bound) -> Shape:
    """`lax.pad`: before, after and between, for each axis."""
    shape, config = bound.shape("operand"), bound.operand("padding_config")
    if not isinstance(config, (tuple, list)) or len(config) != len(shape):
        raise Doubt
    sizes: list[int | None] = []
    for size, item in zip(shape, config, strict=True):
        low, high, inner = ints_of(item)
        between = None if size is None else inner * max(size - 1, 0)
        sizes.append(total((low, size, between, high)))
    return tuple(sizes)


state("jax.lax.pad", "operand padding_value padding_config", pad_shape, kept)


def top_k(bound: Bound) -> Result:
    """`lax.top_k`: values and their indices."""
    shape = bound.shape("operand")
    if not shape or ("axis" in bound.values and bound.integer("axis", -1) != -1):
        raise Doubt
    made = (*shape[:-1], bound.size("k"))
    operand = bound.operand("operand")
    return [
        result(operand, made, kept(bound)),
        result(operand, made, Typed("int32", None), Flow.STEPS),
    ]


state_call("jax.lax.top_k", "operand k axis", top_k)


def select_n(bound: Bound) -> Result:
    """`lax.select_n`: all cases have the result's shape and dtype."""
    cases = bound.rest
    if not cases:
        raise Doubt
    first = as_array(cases[0])
    made = result(cases, first.shape, unclaimed(typed_of(first)))
    whole = result((bound.operand("which"), *cases), first.shape, unclaimed(typed_of(first)))
    return Array(made.shape, made.dtype, made.weak, "jax", made.taint, whole.batch)


state_call("jax.lax.select_n", "which *", select_n, array=True)


def _axis_lists(operand: Operand) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not isinstance(operand, (tuple, list)) or len(operand) != 2:
        raise Doubt
    return ints_of(operand[0]), ints_of(operand[1])


def dot_general_shape(bound: Bound) -> Shape:
    """`lax.dot_general`: batch axes, then what is left of each operand."""
    a, b = bound.shape("lhs"), bound.shape("rhs")
    numbers = bound.operand("dimension_numbers")
    if not isinstance(numbers, (tuple, list)) or len(numbers) != 2:
        raise Doubt
    (over_a, over_b), (batch_a, batch_b) = _axis_lists(numbers[0]), _axis_lists(numbers[1])
    gone_a = axes_in(over_a + batch_a, len(a))
    gone_b = axes_in(over_b + batch_b, len(b))
    if len(over_a) != len(over_b) or len(batch_a) != len(batch_b):
        raise Doubt
    shared = tuple(same_dim(a[x], b[y]) for x, y in zip(batch_a, batch_b, strict=True))
    left = tuple(size for axis, size in enumerate(a) if axis not in gone_a)
    return shared + left + tuple(size for axis, size in enumerate(b) if axis not in gone_b)


def _equal_types(bound: Bound) -> Typed:
    if bound.given("preferred_element_type"):
        return bound.dtype("preferred_element_type")
    first, second = bound.typed("lhs"), bound.typed("rhs")
    return Typed(first.dtype, None) if first.dtype == second.dtype else UNTYPED


state(
    "jax.lax.dot_general",
    "lhs rhs dimension_numbers precision preferred_element_type",
    dot_general_shape,
    _equal_types,
)
state(
    "jax.lax.batch_matmul",
    "lhs rhs precision",
    lambda b: (*b.shape("lhs")[:-1], b.shape("rhs")[-1]),
    _equal_types,
)
state(
    under("jax.lax", "conv conv_with_general_padding conv_general_dilated conv_transpose"),
    "lhs rhs window_strides padding lhs_dilation rhs_dilation dimension_numbers "
    "feature_group_count batch_group_count precision preferred_element_type",
    unknown_shape,
    _equal_types,
)


def sort(bound: Bound) -> Result:
    """`lax.sort` of one array."""
    operand = bound.operand("operand")
    if not isinstance(operand, Array):
        raise Doubt
    return result(operand, operand.shape, kept(bound))


state_call("jax.lax.sort", "operand dimension is_stable num_keys", sort)


def bitcast(bound: Bound) -> Result:
    """`lax.bitcast_convert_type` between types of one width."""
    operand = bound.array("operand")
    asked = bound.dtype("dtype")
    same = _width(narrowed(operand.dtype)) == _width(asked.dtype) is not None
    return result(operand, operand.shape if same else None, asked, Flow.STEPS)


def _width(dtype: str | None) -> int | None:
    if kind(dtype) in ("i", "u", "f") and dtype is not None:
        digits = dtype.lstrip("abcdefghijklmnopqrstuvwxyz")
        return int(digits) if digits.isdigit() else None
    return None


state_call("jax.lax.bitcast_convert_type", "operand dtype", bitcast, array=True)


def axis_size(bound: Bound) -> Result:
    """`lax.axis_size` is a Python int that the axis name alone does not tell."""
    return Array((), "int32", True, "python")


state_call("jax.lax.axis_size", "axis_name", axis_size)
state("jax.lax.axis_index", "axis_name", lambda b: (), lambda b: Typed("int32", None))
state_call("jax.lax.broadcast_shapes", "*", lambda b: _broadcast_tuple(b))


def _broadcast_tuple(bound: Bound) -> Result:
    shape = broadcast(*(dims_of(item) for item in bound.rest))
    return tuple(
        Array((), "int32", True, "python") if size is None else Const(size) for size in shape
    )
