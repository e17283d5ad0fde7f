"""NumPy's own functions, with NumPy's default dtypes and promotion.

Arguments that are JAX arrays are converted to NumPy ones first, as NumPy does. A NumPy result holds
neither taint nor batch: JAX refuses to convert traced values.
"""

from __future__ import annotations

from collections.abc import Callable

from jaxref.domain.values import Array, Const, Shape, Unknown
from jaxref.jaxmodel.arrays import creation, joining, manipulation
from jaxref.jaxmodel.arrays.call import (
    ArrayCall,
    Bound,
    Doubt,
    Operand,
    as_array,
    dims_of,
    is_python_number,
    numpy_dtype,
    traces,
)
from jaxref.jaxmodel.arrays.contraction import einsum_shape, outer_shape, tensordot_shape
from jaxref.jaxmodel.arrays.dtypes import (
    Typed,
    kind,
    numpy_promote,
    numpy_to_inexact,
    real_part,
)
from jaxref.jaxmodel.arrays.elementwise import clip_shape
from jaxref.jaxmodel.arrays.linalg import norm_shape
from jaxref.jaxmodel.arrays.reductions import (
    cumulative_shape,
    one_axis_shape,
    reduced_shape,
    sorted_shape,
)
from jaxref.jaxmodel.arrays.registry import (
    ARRAY_FUNCTIONS,
    DtypeRule,
    Result,
    ShapeRule,
    state,
    state_call,
    under,
)
from jaxref.jaxmodel.arrays.shapes import broadcast, dot, matmul, size_of
from jaxref.quick_dataclasses import replace


def strong(dtype: str | None) -> Typed:
    """A NumPy dtype; NumPy has no weak types."""
    return Typed(dtype, None if dtype is None else False)


def numpy_function(names: str, parameters: str, shape: ShapeRule, dtype: DtypeRule) -> None:
    """Enter functions of `numpy` that return one array."""
    state(under("numpy", names), parameters, shape, dtype, origin="numpy")
    for name in names.split():
        if name in BY_METHOD:
            _forward(name)


BY_METHOD = frozenset(
    """
    all amax amin any argmax argmin argsort clip cumprod cumsum diagonal flip fliplr flipud max mean min permute_dims prod repeat
    reshape round searchsorted squeeze std sum swapaxes take trace transpose var
    """.split()  # noqa: SIM905
)
"""NumPy functions that call the method of that name of an array that is not NumPy's.

`np.sum(x)` of a JAX array is `x.sum()`: a JAX array, and traced where `x` is.
"""


def _forward(name: str) -> None:
    own_handler = ARRAY_FUNCTIONS[f"numpy.{name}"]
    other = f"jax.numpy.{name}"

    def handler(call: ArrayCall) -> Result:
        first = call.args[0] if call.args else call.kwargs.get("a")
        if isinstance(first, Array) and first.origin == "jax":
            return ARRAY_FUNCTIONS[other](replace(call, name=other))
        if isinstance(first, Unknown) or (isinstance(first, Array) and first.origin == "any"):
            taint, batch = traces((*call.args, *call.kwargs.values()))
            return Array(origin="any", taint=taint, batch=batch)
        return own_handler(call)

    ARRAY_FUNCTIONS[f"numpy.{name}"] = handler


def asked_or(default: str) -> DtypeRule:
    """The `dtype` argument, `default` where it is absent."""
    return lambda bound: strong(bound.numpy_dtype("dtype", default))


def own(name: str) -> DtypeRule:
    """The dtype of one argument as NumPy holds it, or the one that is asked for."""
    return lambda bound: strong(bound.numpy_dtype("dtype", numpy_dtype(bound.operand(name))))


def joint(*operands: Operand) -> str | None:
    """NumPy's result type of several operands."""
    arrays = [numpy_dtype(x) for x in operands if not is_python_number(x)]
    return numpy_promote(arrays, [as_array(x).dtype for x in operands if is_python_number(x)])


def shape_of(operand: Operand) -> Shape:
    """The shape of an operand of known rank."""
    shape = as_array(operand).shape
    if shape is None:
        raise Doubt
    return shape


FLOAT64 = asked_or("float64")

numpy_function("zeros ones empty", "shape dtype", creation.asked_shape, FLOAT64)
numpy_function(
    "zeros_like ones_like empty_like", "a dtype order subok shape", creation.like_shape, own("a")
)
numpy_function("full", "shape fill_value dtype", creation.asked_shape, own("fill_value"))
numpy_function("full_like", "a fill_value dtype order subok shape", creation.like_shape, own("a"))
numpy_function("eye", "N M k dtype", creation.eye_shape, FLOAT64)
numpy_function("tri", "N M k dtype", creation.eye_shape, FLOAT64)
numpy_function("identity", "n dtype", lambda b: (b.size("n"),) * 2, FLOAT64)
numpy_function(
    "ascontiguousarray",
    "object dtype",
    lambda b: creation.array_shape(b) or (1,),
    own("object"),
)
numpy_function("array", "object dtype copy order subok ndmin", creation.array_shape, own("object"))
numpy_function("asarray", "object dtype order", creation.array_shape, own("object"))


def linspace_type(bound: Bound) -> Typed:
    """`linspace`: floats, unless a dtype is asked for."""
    if bound.given("dtype"):
        return strong(bound.numpy_dtype("dtype", None))
    kinds = {kind(numpy_dtype(bound.operand(name))) for name in ("start", "stop")}
    scalars = all(is_python_number(bound.operand(name)) for name in ("start", "stop"))
    return strong("float64" if scalars and kinds <= {"b", "i", "u", "f"} else None)


def arange_type(bound: Bound) -> Typed:
    """`arange`: the joint type of the bounds."""
    if bound.given("dtype"):
        return strong(bound.numpy_dtype("dtype", None))
    given = [bound.operand(x) for x in ("start", "stop", "step") if bound.given(x)]
    if not all(is_python_number(x) and as_array(x).dtype != "bool" for x in given):
        return strong(None)
    return strong(joint(*given))


LINSPACE = "start stop num endpoint retstep dtype axis"
numpy_function("linspace", LINSPACE, creation.linspace_shape, linspace_type)
numpy_function(
    "logspace", "start stop num endpoint base dtype axis", creation.linspace_shape, linspace_type
)
numpy_function(
    "geomspace", "start stop num endpoint dtype axis", creation.linspace_shape, linspace_type
)
numpy_function("arange", "start stop step dtype", creation.arange_shape, arange_type)


def first_shape(bound: Bound) -> Shape:
    """The operand's shape."""
    return bound.shape("x")


def both_shape(bound: Bound) -> Shape:
    """The broadcast shape of the operands."""
    return broadcast(bound.shape("x"), bound.shape("y"))


def first_inexact(bound: Bound) -> Typed:
    """NumPy's float for the operand: an int8 makes float16."""
    return strong(numpy_to_inexact(numpy_dtype(bound.operand("x"))))


def first_type(bound: Bound) -> Typed:
    """The operand's dtype; bool, for which the functions differ, is left open."""
    found = numpy_dtype(bound.operand("x"))
    return strong(None if found == "bool" else found)


def first_real(bound: Bound) -> Typed:
    """The operand's dtype without its imaginary part."""
    return strong(real_part(numpy_dtype(bound.operand("x"))))


def both_type(bound: Bound) -> Typed:
    """The joint dtype of the operands."""
    found = joint(bound.operand("x"), bound.operand("y"))
    return strong(None if found == "bool" else found)


def both_divided(bound: Bound) -> Typed:
    """True division: whole numbers give float64."""
    found = joint(bound.operand("x"), bound.operand("y"))
    return strong("float64" if kind(found) in ("b", "i", "u") else found)


def bool_type(bound: Bound) -> Typed:
    """A bool."""
    return strong("bool")


numpy_function(
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 "
    "log10 log1p sqrt cbrt deg2rad rad2deg degrees radians rint",
    "x",
    first_shape,
    first_inexact,
)
numpy_function("negative positive conj conjugate square", "x", first_shape, first_type)
numpy_function("sign", "x", first_shape, first_type)
numpy_function("abs absolute", "x", first_shape, first_real)
numpy_function("copy", "x", first_shape, lambda b: strong(numpy_dtype(b.operand("x"))))
numpy_function("isnan isinf isfinite isneginf isposinf logical_not", "x", first_shape, bool_type)
numpy_function("add subtract multiply maximum minimum fmax fmin", "x y", both_shape, both_type)
numpy_function("floor_divide remainder mod fmod", "x y", both_shape, both_type)
numpy_function("divide true_divide", "x y", both_shape, both_divided)
numpy_function(
    "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor isclose",
    "x y",
    both_shape,
    bool_type,
)


def where_shape(bound: Bound) -> Shape:
    """The three-argument `where`."""
    return broadcast(bound.shape("condition"), both_shape(bound))


def where_array(bound: Bound) -> Result:
    """`where`; with one argument it gives a tuple, of which nothing is said."""
    if not bound.given("x") or not bound.given("y"):
        raise Doubt
    found = joint(bound.operand("x"), bound.operand("y"))
    try:
        shape: Shape | None = where_shape(bound)
    except Doubt:
        shape = None
    return Array(shape, found, strong(found).weak, "numpy")


state_call("numpy.where", "condition x y", where_array)


def sum_type(bound: Bound) -> Typed:
    """`sum`, `prod` and `cumsum`: small whole numbers are added up in 64 bits."""
    if bound.given("dtype"):
        return strong(bound.numpy_dtype("dtype", None))
    found = numpy_dtype(bound.operand("a"))
    if kind(found) in ("b", "i"):
        return strong("int64")
    return strong("uint64" if kind(found) == "u" else found)


def mean_type(bound: Bound) -> Typed:
    """`mean`: whole numbers in float64."""
    if bound.given("dtype"):
        return strong(bound.numpy_dtype("dtype", None))
    found = numpy_dtype(bound.operand("a"))
    return strong("float64" if kind(found) in ("b", "i", "u") else found)


def deviation_type(bound: Bound) -> Typed:
    """`var` and `std`."""
    return strong(real_part(mean_type(bound).dtype))


REDUCTION = "a axis dtype out keepdims initial where"
numpy_function("sum prod nansum", REDUCTION, reduced_shape, sum_type)
numpy_function("mean nanmean", "a axis dtype out keepdims where", reduced_shape, mean_type)
numpy_function("var std", "a axis dtype out ddof keepdims", reduced_shape, deviation_type)
numpy_function("max min amax amin", "a axis out keepdims initial where", reduced_shape, own("a"))
numpy_function("all any", "a axis out keepdims", reduced_shape, bool_type)
numpy_function("argmax argmin", "a axis out keepdims", one_axis_shape, lambda b: strong("int64"))

numpy_function("reshape", "a shape order", manipulation.reshape_shape, own("a"))
numpy_function("ravel", "a order", lambda b: (size_of(b.shape("a")),), own("a"))
numpy_function("transpose permute_dims", "a axes", manipulation.transpose_shape, own("a"))
numpy_function("swapaxes", "a axis1 axis2", manipulation.swapaxes_shape, own("a"))
numpy_function("squeeze", "a axis", manipulation.squeeze_shape, own("a"))
numpy_function("expand_dims", "a axis", manipulation.expand_dims_shape, own("a"))
numpy_function("moveaxis", "a source destination", manipulation.moveaxis_shape, own("a"))
numpy_function("cumsum cumprod", "a axis dtype out", cumulative_shape, sum_type)
numpy_function("diagonal", "a offset axis1 axis2", manipulation.diagonal_shape, own("a"))
numpy_function("take", "a indices axis out mode", manipulation.take_shape, own("a"))
numpy_function("broadcast_to", "a shape", manipulation.broadcast_to_shape, own("a"))
numpy_function("tile", "a reps", manipulation.tile_shape, own("a"))
numpy_function("repeat", "a repeats axis", manipulation.repeat_shape, own("a"))
numpy_function("flip fliplr flipud", "a axis", manipulation.flipped, own("a"))
numpy_function("roll", "a shift axis", manipulation.flipped, own("a"))
numpy_function("tril triu", "a k", manipulation.triangle_shape, own("a"))
numpy_function("diag", "a k", manipulation.diag_shape, own("a"))
numpy_function("pad", "a pad_width mode", manipulation.pad_shape, own("a"))


def joined(bound: Bound) -> Typed:
    """The joint dtype of the arrays of a sequence; Python numbers among them are arrays here."""
    if bound.given("dtype"):
        return strong(bound.numpy_dtype("dtype", None))
    found = joining.arrays_of(bound.operand("arrays"))
    return strong(numpy_promote([numpy_dtype(item) for item in found], []))


numpy_function("concatenate concat", "arrays axis out dtype", joining.concatenate_shape, joined)
numpy_function("stack", "arrays axis out dtype", joining.stack_shape, joined)
numpy_function("vstack", "arrays dtype", joining.vstack_shape, joined)
numpy_function("hstack", "arrays dtype", joining.hstack_shape, joined)
numpy_function("column_stack", "arrays", joining.column_stack_shape, joined)


def product_type(bound: Bound) -> Typed:
    """The joint dtype of the factors; Python numbers are arrays here."""
    return strong(numpy_promote([numpy_dtype(bound.operand(name)) for name in ("a", "b")], []))


numpy_function("matmul", "a b", lambda b: matmul(b.shape("a"), b.shape("b")), product_type)
numpy_function("dot", "a b", lambda b: dot(b.shape("a"), b.shape("b")), product_type)
numpy_function("outer", "a b", outer_shape, product_type)
numpy_function("tensordot", "a b axes", tensordot_shape, product_type)
numpy_function("einsum", "subscripts *", einsum_shape, lambda b: strong(joint(*b.rest)))


def order_shape(bound: Bound) -> Shape:
    """`sort` and `argsort`; of a scalar they give a vector or fail."""
    if not bound.shape("a"):
        raise Doubt
    return sorted_shape(bound)


numpy_function("linalg.norm", "a ord axis keepdims", norm_shape, lambda b: norm_type(b))
numpy_function("clip", "x min max", clip_shape, lambda b: clip_type(b))
numpy_function("sort", "a axis", order_shape, own("a"))
numpy_function("argsort", "a axis", order_shape, lambda b: strong("int64"))


def norm_type(bound: Bound) -> Typed:
    """`linalg.norm`, in float64 for whole numbers."""
    found = numpy_dtype(bound.operand("a"))
    if bound.given("ord") or kind(found) not in ("b", "i", "u", "f"):
        return strong(None)
    if kind(found) == "f":
        return strong(None if found == "bfloat16" else found)
    return strong("float64")


def clip_type(bound: Bound) -> Typed:
    """`clip`: the joint type of the array and its bounds."""
    bounds = [bound.operand(name) for name in ("min", "max") if bound.given(name)]
    arrays = [numpy_dtype(x) for x in bounds if not is_python_number(x)]
    python = [as_array(x).dtype for x in bounds if is_python_number(x)]
    return strong(numpy_promote([numpy_dtype(bound.operand("x")), *arrays], python))


def truth(bound: Bound) -> Result:
    """`allclose` and `array_equal` return a Python bool."""
    return Array((), "bool", False, "python")


state_call(under("numpy", "allclose array_equal"), "a b rtol atol equal_nan", truth)

SCALAR_TYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
    "complex128"
)


def scalar_type_call(bound: Bound) -> Result:
    """`np.float32(x)`: a NumPy scalar, or an array where `x` is one."""
    name = bound.call.name.rsplit(".", 1)[-1]
    asked = Bound(bound.call, {"dtype": Const(name)}, ()).numpy_dtype("dtype", None)
    shape = as_array(bound.operand("x")).shape if "x" in bound.values else ()
    return Array(shape, asked, False, "numpy")


state_call(under("numpy", SCALAR_TYPES), "x", scalar_type_call)


PYTHON_FLOAT = Array((), "float32", True, "python")


def sample(dtype: str, alone: Array | None) -> Callable[[Bound], Result]:
    """A sample of the asked-for size; a Python number where no size is given."""

    def answer(bound: Bound) -> Result:
        asked = bound.numpy_dtype("dtype", dtype)
        if not bound.given("size"):
            others = [value for name, value in bound.values.items() if name != "dtype"]
            if alone is None or not all(is_python_number(value) for value in others):
                raise Doubt
            return alone
        try:
            shape: Shape | None = dims_of(bound.operand("size"))
        except Doubt:
            shape = None
        return Array(shape, asked, strong(asked).weak, "numpy")

    return answer


state_call("numpy.random.normal", "loc scale size", sample("float64", PYTHON_FLOAT))
state_call("numpy.random.uniform", "low high size", sample("float64", PYTHON_FLOAT))
state_call(
    under("numpy.random", "random random_sample standard_normal"),
    "size",
    sample("float64", PYTHON_FLOAT),
)
state_call("numpy.random.randint", "low high size dtype", sample("int64", None))


def rand(bound: Bound) -> Result:
    """`np.random.rand(2, 3)`: a Python float without arguments."""
    if not bound.rest:
        return PYTHON_FLOAT
    return Array(dims_of(tuple(bound.rest)), "float64", False, "numpy")


state_call(under("numpy.random", "rand randn"), "*", rand)
