"""Reductions and cumulative functions of `jax.numpy`, `jax.lax` and `jax.nn`."""

from __future__ import annotations

from jaxref.domain.values import Shape
from jaxref.jaxmodel.arrays.call import Bound, Doubt, ints_of
from jaxref.jaxmodel.arrays.dtypes import (
    UNTYPED,
    Typed,
    promote,
    real_part,
    to_inexact,
    unclaimed,
)
from jaxref.jaxmodel.arrays.registry import Flow, state, under
from jaxref.jaxmodel.arrays.shapes import broadcast, reduced, size_of

INDEX = Typed("int32", False)
SMALL = {
    "bool": "int32",
    "int8": "int32",
    "int16": "int32",
    "uint8": "uint32",
    "uint16": "uint32",
}
"""What `sum` and `prod` add up small whole numbers in."""

REDUCTION = "a axis dtype out keepdims initial where promote_integers"
EXTREMUM = "a axis out keepdims initial where"


def reduced_shape(bound: Bound) -> Shape:
    """The shape without the axes of `axis`."""
    shape = bound.shape("a")
    return reduced(shape, bound.axes("axis", len(shape)), bound.flag("keepdims", False))


def one_axis_shape(bound: Bound) -> Shape:
    """`argmax` and its like: one axis, or all of them."""
    shape = bound.shape("a")
    if bound.given("axis"):
        gone: tuple[int, ...] = (bound.axis("axis", len(shape), 0),)
    else:
        gone = tuple(range(len(shape)))
    return reduced(shape, gone, bound.flag("keepdims", False))


def same_type(bound: Bound) -> Typed:
    """The operand's type."""
    return unclaimed(bound.typed("a"))


def sum_type(bound: Bound) -> Typed:
    """`sum` and `prod`: small whole numbers are widened."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    found = bound.typed("a")
    if not bound.flag("promote_integers", True):
        return UNTYPED
    return unclaimed(Typed(SMALL.get(found.dtype or "", found.dtype), found.weak))


def mean_type(bound: Bound) -> Typed:
    """`mean`: in floats."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    return unclaimed(to_inexact(bound.typed("a")))


def variance_type(bound: Bound) -> Typed:
    """`var` and `std`: real also for complex numbers."""
    if bound.given("dtype"):
        return UNTYPED
    found = to_inexact(bound.typed("a"))
    return unclaimed(Typed(real_part(found.dtype), found.weak))


state(
    under("jax.numpy", "sum prod nansum nanprod"),
    REDUCTION,
    reduced_shape,
    sum_type,
)
state(
    under("jax.numpy", "mean nanmean"), "a axis dtype out keepdims where", reduced_shape, mean_type
)
state(
    under("jax.numpy", "var std nanvar nanstd"),
    "a axis dtype out ddof keepdims",
    reduced_shape,
    variance_type,
)
state(under("jax.numpy", "max min amax amin nanmax nanmin"), EXTREMUM, reduced_shape, same_type)
state("jax.numpy.ptp", "a axis out keepdims", reduced_shape, same_type)
state(
    under("jax.numpy", "all any"),
    "a axis out keepdims",
    reduced_shape,
    lambda b: Typed("bool", None),
)
state(
    under("jax.numpy", "argmax argmin nanargmax nanargmin"),
    "a axis out keepdims",
    one_axis_shape,
    lambda b: INDEX,
)
state("jax.numpy.count_nonzero", "a axis keepdims", reduced_shape, lambda b: INDEX)
state(
    under("jax.numpy", "median nanmedian"),
    "a axis out overwrite_input keepdims",
    reduced_shape,
    lambda b: unclaimed(to_inexact(b.typed("a"))),
)


def quantile_shape(bound: Bound) -> Shape:
    """`quantile` and `percentile`: the shape of `q` comes first."""
    return (*bound.shape("q"), *reduced_shape(bound))


state(
    under("jax.numpy", "quantile nanquantile percentile nanpercentile"),
    "a q axis out overwrite_input method keepdims",
    quantile_shape,
    lambda b: unclaimed(to_inexact(b.typed("a"))),
)


def average_shape(bound: Bound) -> Shape:
    """`average`, which returns a pair where `returned` is set."""
    if bound.flag("returned", False):
        raise Doubt
    return reduced_shape(bound)


def average_type(bound: Bound) -> Typed:
    """`average`."""
    found = to_inexact(bound.typed("a"))
    if bound.given("weights"):
        found = to_inexact(promote(found, bound.typed("weights")))
    return unclaimed(found)


state("jax.numpy.average", "a axis weights returned keepdims", average_shape, average_type)


def logsumexp_shape(bound: Bound) -> Shape:
    """`logsumexp`, which returns a pair where `return_sign` is set."""
    if bound.flag("return_sign", False) or bound.given("b"):
        raise Doubt
    return reduced_shape(bound)


state(
    under("jax.nn jax.scipy.special", "logsumexp"),
    "a axis b keepdims return_sign",
    logsumexp_shape,
    lambda b: unclaimed(to_inexact(b.typed("a"))),
)


def cumulative_shape(bound: Bound) -> Shape:
    """`cumsum` and its like, over the flattened array where `axis` is None."""
    shape = bound.shape("a")
    if bound.given("axis"):
        bound.axis("axis", len(shape), 0)
        return shape
    return (size_of(shape),)


def cumulative_type(bound: Bound) -> Typed:
    """`cumsum` and `cumprod` keep small whole numbers, except bool."""
    if bound.given("dtype"):
        return bound.dtype("dtype")
    found = bound.typed("a")
    if found.dtype == "bool":
        return INDEX
    return unclaimed(found)


state(
    under("jax.numpy", "cumsum cumprod nancumsum nancumprod"),
    "a axis dtype out",
    cumulative_shape,
    cumulative_type,
)
state(
    under("jax.lax", "argmax argmin"),
    "a axis index_dtype",
    one_axis_shape,
    lambda b: b.dtype("index_dtype"),
)


def _over_axes(bound: Bound) -> Shape:
    shape = bound.shape("a")
    return reduced(shape, bound.axes("axes", len(shape)), False)


state(
    under("jax.lax", "reduce_sum reduce_max reduce_min reduce_prod"),
    "a axes",
    _over_axes,
    same_type,
)


def _trapezoid_shape(bound: Bound) -> Shape:
    shape = bound.shape("y")
    gone = bound.axis("axis", len(shape), -1)
    if bound.given("x"):
        shape = broadcast(shape, bound.shape("x"))
    return reduced(shape, [gone], False)


state(
    "jax.numpy.trapezoid",
    "y x dx axis",
    _trapezoid_shape,
    lambda b: UNTYPED if b.given("x") else unclaimed(to_inexact(b.typed("y"))),
)


def _diff_shape(bound: Bound) -> Shape:
    shape = bound.shape("a")
    along = bound.axis("axis", len(shape), -1)
    if bound.given("prepend") or bound.given("append"):
        raise Doubt
    size, steps = shape[along], bound.integer("n", 1)
    left = None if size is None else max(size - steps, 0)
    return (*shape[:along], left, *shape[along + 1 :])


state("jax.numpy.diff", "a n axis prepend append", _diff_shape, same_type)
state("jax.numpy.sort", "a axis", lambda b: sorted_shape(b), same_type)
state("jax.numpy.argsort", "a axis", lambda b: sorted_shape(b), lambda b: INDEX, flow=Flow.STEPS)


def sorted_shape(bound: Bound) -> Shape:
    """`sort` and `argsort`, of the flattened array where `axis` is None."""
    shape = bound.shape("a")
    if "axis" in bound.values and not bound.given("axis"):
        return (size_of(shape),)
    if "axis" in bound.values:
        (axis,) = ints_of(bound.values["axis"])
        if not -len(shape) <= axis < len(shape):
            raise Doubt
    return shape
