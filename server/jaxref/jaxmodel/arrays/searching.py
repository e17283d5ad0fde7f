"""Sorting, searching, counting and choosing in `jax.numpy`; many lengths depend on the values."""

from __future__ import annotations

from jaxref.domain.values import Array, Const, Shape, ShapeStruct
from jaxref.jaxmodel.arrays.call import Bound, Doubt, Operand, as_array, typed_of
from jaxref.jaxmodel.arrays.dtypes import (
    ABSTRACT_DTYPES,
    UNTYPED,
    Typed,
    dtype_name,
    kind,
    narrowed,
    promote,
    promote_all,
    to_inexact,
    unclaimed,
)
from jaxref.jaxmodel.arrays.registry import Flow, Result, result, state, state_call, under
from jaxref.jaxmodel.arrays.shapes import broadcast, known, same_dim, total

INDEX = Typed("int32", None)


def kept(bound: Bound) -> Typed:
    """The operand's dtype, its weak type not claimed."""
    return unclaimed(bound.typed("a"))


def operand_shape(bound: Bound) -> Shape:
    """The operand's shape."""
    return bound.shape("a")


state("jax.numpy.partition", "a kth axis", lambda b: _along(b), kept)
state("jax.numpy.argpartition", "a kth axis", lambda b: _along(b), lambda b: INDEX)


def _along(bound: Bound) -> Shape:
    shape = bound.shape("a")
    bound.axis("axis", len(shape), -1)
    return shape


def searchsorted_shape(bound: Bound) -> Shape:
    """`searchsorted`: one index for each value."""
    if len(bound.shape("a")) != 1:
        raise Doubt
    return bound.shape("v")


state(
    "jax.numpy.searchsorted",
    "a v side sorter * method",
    searchsorted_shape,
    lambda b: INDEX,
    flow=Flow.STEPS,
)
state(
    "jax.numpy.digitize",
    "a bins right * method",
    operand_shape,
    lambda b: INDEX,
    flow=Flow.STEPS,
)
state(
    "jax.numpy.isin",
    "a test_elements assume_unique invert * method",
    operand_shape,
    lambda b: Typed("bool", None),
    flow=Flow.STEPS,
)
state(
    "jax.numpy.bitwise_count",
    "a",
    operand_shape,
    lambda b: Typed("uint8", None),
    flow=Flow.STEPS,
)


def found_length(bound: Bound) -> int | None:
    """The length of what depends on the values: the `size` argument, else not known."""
    return bound.size("size") if bound.given("size") else None


def nonzero(bound: Bound) -> Result:
    """`nonzero`: a vector of indices for each axis."""
    ndim = len(bound.shape("a"))
    if ndim == 0:
        raise Doubt
    made = result(bound.operand("a"), (found_length(bound),), INDEX, Flow.STEPS)
    return (made,) * ndim


state_call("jax.numpy.nonzero", "a * size fill_value", nonzero)
state(
    "jax.numpy.flatnonzero",
    "a * size fill_value",
    lambda b: (found_length(b),),
    lambda b: INDEX,
    flow=Flow.STEPS,
)
state(
    "jax.numpy.argwhere",
    "a * size fill_value",
    lambda b: (found_length(b), len(b.shape("a"))),
    lambda b: INDEX,
    flow=Flow.STEPS,
)


def unique(bound: Bound) -> Result:
    """`unique` of the flattened array, values only."""
    options = ("return_index", "return_inverse", "return_counts")
    if any(bound.flag(name, False) for name in options) or bound.given("axis"):
        raise Doubt
    return result(bound.operand("a"), (found_length(bound),), kept(bound))


state_call(
    "jax.numpy.unique",
    "a return_index return_inverse return_counts axis * equal_nan size fill_value sorted",
    unique,
)


def bincount_shape(bound: Bound) -> Shape:
    """`bincount` with a `length`."""
    return (bound.size("length") if bound.given("length") else None,)


def bincount_type(bound: Bound) -> Typed:
    """`bincount`: counts, or sums of the weights."""
    return unclaimed(bound.typed("weights")) if bound.given("weights") else INDEX


state(
    "jax.numpy.bincount",
    "a weights minlength * length",
    bincount_shape,
    bincount_type,
    derivative_of="weights",
)


def select_shape(bound: Bound) -> Shape:
    """`select` of lists of conditions and choices."""
    return broadcast(*(as_array(item).shape for item in _choices(bound)))


def _choices(bound: Bound) -> list[Operand]:
    conditions, choices = bound.operand("condlist"), bound.operand("choicelist")
    if not isinstance(conditions, (tuple, list)) or not isinstance(choices, (tuple, list)):
        raise Doubt
    return [*conditions, *_values(bound)]


def _values(bound: Bound) -> list[Operand]:
    choices = bound.operand("choicelist")
    if not isinstance(choices, (tuple, list)):
        raise Doubt
    default = bound.operand("default") if "default" in bound.values else Const(0)
    return [*choices, default]


def select_type(bound: Bound) -> Typed:
    """`select`: the choices and the default together."""
    return unclaimed(promote_all([typed_of(as_array(item)) for item in _values(bound)]))


state(
    "jax.numpy.select",
    "condlist choicelist default",
    select_shape,
    select_type,
    derivative_of="choicelist default",
)


def issubdtype(bound: Bound) -> Result:
    """`issubdtype` of a dtype's name and an abstract or a concrete type."""
    first, second = bound.text("arg1", None), bound.text("arg2", None)
    if first is None or second is None:
        raise Doubt
    found = dtype_name(first)
    kinds = ABSTRACT_DTYPES.get(second.rpartition(".")[2])
    letter = kind(found)
    if letter is None:
        raise Doubt
    if kinds is not None:
        return Const(letter in kinds)
    other = dtype_name(second)
    if other is None or second in ("float", "int", "complex", "bool"):
        raise Doubt
    return Const(found == other)


state_call(under("jax.numpy numpy", "issubdtype"), "arg1 arg2", issubdtype)


def _object_kind(bound: Bound) -> str:
    operand = bound.operand("x")
    found = operand.dtype if isinstance(operand, ShapeStruct) else as_array(operand).dtype
    letter = kind(found)
    if letter is None:
        raise Doubt
    return letter


state_call(under("jax.numpy numpy", "iscomplexobj"), "x", lambda b: Const(_object_kind(b) == "c"))
state_call(under("jax.numpy numpy", "isrealobj"), "x", lambda b: Const(_object_kind(b) != "c"))


def convolve_shape(bound: Bound) -> Shape:
    """`convolve` and `correlate` of vectors."""
    (first,), (second,) = _vectors(bound)
    mode = bound.text("mode", "valid" if bound.call.name.endswith("correlate") else "full")
    if first is None or second is None:
        return (None,)
    longer, shorter = max(first, second), min(first, second)
    if mode == "full":
        return (first + second - 1,)
    if mode == "same":
        return (longer,)
    if mode == "valid":
        return (longer - shorter + 1,)
    raise Doubt


def _vectors(bound: Bound) -> tuple[Shape, Shape]:
    first, second = bound.shape("a"), bound.shape("v")
    if len(first) != 1 or len(second) != 1 or 0 in first + second:
        raise Doubt
    return first, second


def convolve_type(bound: Bound) -> Typed:
    """`convolve`: in floats."""
    found = to_inexact(promote(bound.typed("a"), bound.typed("v")))
    if bound.given("preferred_element_type"):
        return UNTYPED
    return Typed(found.dtype, None)


state(
    under("jax.numpy", "convolve correlate"),
    "a v mode * preferred_element_type",
    convolve_shape,
    convolve_type,
)


def gradient(bound: Bound) -> Result:
    """`gradient` of a vector with unit spacing, or a list for a matrix and beyond."""
    shape = bound.shape("a")
    if bound.rest or not shape:
        raise Doubt
    typed = unclaimed(to_inexact(bound.typed("a")))
    made = result(bound.operand("a"), shape, typed)
    if bound.given("axis"):
        axis = bound.operand("axis")
        if not isinstance(axis, Const):
            raise Doubt
        bound.axis("axis", len(shape), 0)
        return made
    return made if len(shape) == 1 else [made] * len(shape)


state_call("jax.numpy.gradient", "a * axis edge_order", gradient)


def cov_shape(bound: Bound) -> Shape:
    """`cov` and `corrcoef` of the rows of one matrix."""
    if bound.given("y") or not bound.flag("rowvar", True):
        raise Doubt
    shape = bound.shape("a")
    if len(shape) != 2 or shape[0] in (None, 1):
        raise Doubt
    return (shape[0], shape[0])


def cov_type(bound: Bound) -> Typed:
    """`cov` and `corrcoef` of one matrix: in floats."""
    cov_shape(bound)
    return unclaimed(to_inexact(bound.typed("a")))


state(
    "jax.numpy.cov",
    "a y rowvar bias ddof fweights aweights",
    cov_shape,
    cov_type,
)
state(
    "jax.numpy.corrcoef",
    "a y rowvar",
    cov_shape,
    cov_type,
)


def matvec_shape(bound: Bound) -> Shape:
    """`matvec` of matrices and vectors."""
    matrix, vector = bound.shape("a"), bound.shape("b")
    if len(matrix) < 2 or not vector:
        raise Doubt
    same_dim(matrix[-1], vector[-1])
    return (*broadcast(matrix[:-2], vector[:-1]), matrix[-2])


def vecmat_shape(bound: Bound) -> Shape:
    """`vecmat` of vectors and matrices."""
    vector, matrix = bound.shape("a"), bound.shape("b")
    if len(matrix) < 2 or not vector:
        raise Doubt
    same_dim(vector[-1], matrix[-2])
    return (*broadcast(vector[:-1], matrix[:-2]), matrix[-1])


def product_type(bound: Bound) -> Typed:
    """The promoted type of both operands."""
    return unclaimed(promote(bound.typed("a"), bound.typed("b")))


state("jax.numpy.matvec", "a b", matvec_shape, product_type)
state("jax.numpy.vecmat", "a b", vecmat_shape, product_type)


def block_diag(bound: Bound) -> Result:
    """`block_diag` of matrices."""
    arrays = [as_array(item) for item in bound.rest]
    shapes = [known(array.shape) for array in arrays]
    if not arrays or any(len(shape) != 2 for shape in shapes):
        raise Doubt
    typed = promote_all([typed_of(array) for array in arrays])
    shape = (total([s[0] for s in shapes]), total([s[1] for s in shapes]))
    return result(bound.rest, shape, unclaimed(typed))


state_call("jax.scipy.linalg.block_diag", "*", block_diag, array=True)


def histogram(bound: Bound) -> Result:
    """`histogram` with a number of bins: counts and edges."""
    if any(bound.given(name) for name in ("range", "weights", "density")):
        raise Doubt
    bins = bound.integer("bins", 10)
    operand = bound.operand("a")
    return (
        result(operand, (bins,), UNTYPED, Flow.STEPS),
        result(operand, (bins + 1,), UNTYPED),
    )


state_call("jax.numpy.histogram", "a bins range weights density", histogram)
state(
    "jax.numpy.unwrap",
    "a",
    operand_shape,
    lambda b: kept(b) if kind(b.typed("a").dtype) == "f" else UNTYPED,
)
state(
    "jax.numpy.polyfit",
    "x y deg",
    lambda b: (_coefficients(b), *b.shape("y")[1:]),
    lambda b: UNTYPED,
)


def _coefficients(bound: Bound) -> int | None:
    degree = bound.size("deg")
    return None if degree is None else degree + 1


def identity(bound: Bound) -> Result:
    """`optimization_barrier` and `with_sharding_constraint` of one array."""
    operand = bound.operand("a")
    if not isinstance(operand, Array):
        raise Doubt
    dtype = narrowed(operand.dtype)
    return result(operand, operand.shape, Typed(dtype, typed_of(operand).weak))


state_call("jax.lax.optimization_barrier", "a", identity)
state_call("jax.lax.with_sharding_constraint", "a shardings", identity)
