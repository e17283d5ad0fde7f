"""Element-wise functions of `jax.numpy` and `jax.lax`."""

from __future__ import annotations

from collections.abc import Callable

from jaxref.domain.values import Array, Const, Shape
from jaxref.jaxmodel.arrays.call import Bound, Doubt
from jaxref.jaxmodel.arrays.dtypes import (
    UNTYPED,
    Typed,
    complex_of,
    kind,
    narrowed,
    promote,
    promote_all,
    real_part,
    to_inexact,
    unclaimed,
)
from jaxref.jaxmodel.arrays.registry import (
    DtypeRule,
    Flow,
    Result,
    result,
    state,
    state_call,
    under,
)
from jaxref.jaxmodel.arrays.shapes import broadcast

BOOL = Typed("bool", None)
"""A comparison of weak operands may be marked weak, which means nothing for a bool."""


def shape_of_first(bound: Bound) -> Shape:
    """The first parameter's shape."""
    return bound.shape("x")


def shape_of_both(bound: Bound) -> Shape:
    """The broadcast shape of the two operands."""
    return broadcast(bound.shape("x"), bound.shape("y"))


def type_of_first(bound: Bound) -> Typed:
    """The operand's type."""
    return bound.typed("x")


def inexact_of_first(bound: Bound) -> Typed:
    """The operand's type, whole numbers as floats."""
    return to_inexact(bound.typed("x"))


def real_of_first(bound: Bound) -> Typed:
    """The operand's type, complex numbers as their real parts."""
    found = bound.typed("x")
    return Typed(real_part(found.dtype), found.weak)


def always_bool(bound: Bound) -> Typed:
    """A bool, whatever the operands."""
    return BOOL


def promoted(bound: Bound) -> Typed:
    """The promoted type of the two operands."""
    return promote(bound.typed("x"), bound.typed("y"))


def promoted_inexact(bound: Bound) -> Typed:
    """The promoted type of the two operands, whole numbers as floats."""
    return to_inexact(promoted(bound))


def not_bool(rule: DtypeRule) -> DtypeRule:
    """`rule`, in doubt for a bool: there JAX refuses, or computes something of its own."""

    def checked(bound: Bound) -> Typed:
        found = rule(bound)
        return UNTYPED if found.dtype == "bool" else found

    return checked


def only(kinds: str, rule: DtypeRule) -> DtypeRule:
    """`rule`, in doubt for results of other kinds, which JAX refuses."""

    def checked(bound: Bound) -> Typed:
        found = rule(bound)
        return found if (kind(found.dtype) or "?") in kinds else UNTYPED

    return checked


JNP_INEXACT = """
    sin cos tan arcsin arccos arctan asin acos atan sinh cosh tanh arcsinh arccosh arctanh asinh acosh
    atanh exp exp2 expm1 log log1p sqrt cbrt deg2rad rad2deg degrees radians sinc i0
    reciprocal
"""
LAX_INEXACT = """
    sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log1p sqrt rsqrt
    cbrt logistic erf erfc erf_inv lgamma digamma bessel_i0e bessel_i1e
"""
JNP_BOOL_UNARY = "isnan isinf isfinite isneginf isposinf logical_not iscomplex isreal signbit"
COMPARISONS = "equal not_equal less less_equal greater greater_equal"
JNP_LOGICAL = "logical_and logical_or logical_xor"
BITWISE = "bitwise_and bitwise_or bitwise_xor"
SHIFTS = "left_shift right_shift bitwise_left_shift bitwise_right_shift"

ARITHMETIC = "add subtract multiply maximum minimum fmax fmin"

state(under("jax.numpy", JNP_INEXACT), "x", shape_of_first, inexact_of_first)
state(
    under("jax.numpy", "log2 log10"),
    "x",
    shape_of_first,
    lambda b: unclaimed(inexact_of_first(b)),
)
state(under("jax.lax", LAX_INEXACT), "x", shape_of_first, only("fc", type_of_first))
state(
    under("jax.scipy.special", "erf erfc erfinv gammaln digamma expit i0 i0e i1 i1e entr"),
    "x",
    shape_of_first,
    inexact_of_first,
)
state(
    under("jax.scipy.special", "ndtr log_ndtr ndtri"),
    "x",
    shape_of_first,
    lambda b: unclaimed(inexact_of_first(b)),
)
state("jax.scipy.special.logit", "x", shape_of_first, inexact_of_first)
state(
    under("jax.numpy", "negative positive conj conjugate square"),
    "x",
    shape_of_first,
    not_bool(type_of_first),
)
state(under("jax.lax", "neg square"), "x", shape_of_first, not_bool(type_of_first))
state(under("jax.numpy", "abs absolute"), "x", shape_of_first, real_of_first)
state("jax.lax.abs", "x", shape_of_first, not_bool(real_of_first))
state("jax.numpy.fabs", "x", shape_of_first, only("f", inexact_of_first))
state(
    under("jax.numpy", "floor ceil trunc"),
    "x",
    shape_of_first,
    only("iuf", type_of_first),
    flow=Flow.STEPS,
)
state(
    "jax.numpy.rint",
    "x",
    shape_of_first,
    only("f", lambda b: unclaimed(inexact_of_first(b))),
    flow=Flow.STEPS,
)
state(
    under("jax.numpy", "round around"),
    "x decimals out",
    shape_of_first,
    only("iuf", lambda b: unclaimed(type_of_first(b))),
    flow=Flow.STEPS,
)
state(
    under("jax.lax", "floor ceil round"),
    "x rounding_method",
    shape_of_first,
    only("f", type_of_first),
    flow=Flow.STEPS,
)
state(
    "jax.numpy.nan_to_num",
    "x copy nan posinf neginf",
    shape_of_first,
    lambda b: unclaimed(type_of_first(b)),
    derivative_of="x",
)
state("jax.numpy.copy", "x order", shape_of_first, lambda b: Typed(b.typed("x").dtype, None))
state(under("jax.numpy", JNP_BOOL_UNARY), "x", shape_of_first, always_bool)
state("jax.lax.is_finite", "x", shape_of_first, always_bool)
state(
    under("jax.numpy", "bitwise_not invert bitwise_invert"),
    "x",
    shape_of_first,
    only("biu", type_of_first),
)
state("jax.lax.bitwise_not", "x", shape_of_first, only("biu", type_of_first))
state(under("jax.lax", "population_count clz"), "x", shape_of_first, only("iu", type_of_first))

state(under("jax.numpy", ARITHMETIC), "x y", shape_of_both, promoted)
state(under("jax.numpy", "remainder mod fmod"), "x y", shape_of_both, not_bool(promoted))
state(under("jax.lax", "add sub mul max min rem"), "x y", shape_of_both, promoted)
state(under("jax.numpy", "divide true_divide"), "x y", shape_of_both, promoted_inexact)
state("jax.lax.div", "x y", shape_of_both, promoted)
state(
    under("jax.numpy", "arctan2 atan2 logaddexp"),
    "x y",
    shape_of_both,
    promoted_inexact,
)
state("jax.lax.atan2", "x y", shape_of_both, only("f", promoted))
state(
    under("jax.lax jax.numpy", "nextafter"),
    "x y",
    shape_of_both,
    promoted_inexact,
    derivative_of="x",
)
state("jax.numpy.copysign", "x y", shape_of_both, promoted_inexact, derivative_of="x")
state(
    under("jax.numpy", "heaviside hypot logaddexp2"),
    "x y",
    shape_of_both,
    lambda b: unclaimed(promoted_inexact(b)),
)
state("jax.numpy.floor_divide", "x y", shape_of_both, not_bool(promoted), flow=Flow.STEPS)
state(under("jax.numpy", COMPARISONS + " " + JNP_LOGICAL), "x y", shape_of_both, always_bool)
state(under("jax.lax", "eq ne lt le gt ge"), "x y", shape_of_both, always_bool)
state(under("jax.numpy", BITWISE), "x y", shape_of_both, only("biu", promoted))
state(under("jax.numpy", SHIFTS), "x y", shape_of_both, only("iu", promoted))
state("jax.numpy.isclose", "x y rtol atol equal_nan", shape_of_both, always_bool, flow=Flow.STEPS)
state(
    under(
        "jax.lax",
        "bitwise_and bitwise_or bitwise_xor shift_left shift_right_logical shift_right_arithmetic",
    ),
    "x y",
    shape_of_both,
    only("biu", promoted),
)
state(
    under("jax.numpy", "gcd lcm"),
    "x y",
    shape_of_both,
    only("iu", lambda b: unclaimed(promoted(b))),
)


def part(bound: Bound) -> Result:
    """`real` and `imag`: the imaginary part of a real number is a constant."""
    found = bound.typed("x")
    constant = bound.call.name.endswith("imag") and kind(found.dtype) not in ("c", None)
    typed = real_of_first(bound)
    flow = Flow.STEPS if constant else Flow.VALUES
    return result(bound.operand("x"), bound.array("x").shape, typed, flow)


# The sign of a complex number has a derivative in JAX 0.12 and none in 0.10: none is stated.
state(
    under("jax.numpy jax.lax", "sign"),
    "x",
    shape_of_first,
    not_bool(type_of_first),
    flow=Flow.STEPS,
)
state_call(under("jax.numpy jax.lax", "real imag"), "x", part, array=True)


def power_type(bound: Bound) -> Typed:
    """The type of `x ** y`; in doubt for whole numbers to a power that may be negative."""
    base, exponent = bound.typed("x"), bound.typed("y")
    if kind(base.dtype) in ("f", "c") and kind(exponent.dtype) in ("i", "u"):
        return Typed(base.dtype, base.weak if _is_static_int(bound, "y") else None)
    if base.dtype == "bool" or exponent.dtype == "bool":
        return UNTYPED
    found = promote(base, exponent)
    return unclaimed(found) if kind(found.dtype) in ("i", "u") else found


def _is_static_int(bound: Bound, name: str) -> bool:
    found = bound.operand(name)
    return isinstance(found, Const) and type(found.value) is int


def power(bound: Bound) -> Result:
    """`x ** y`: the derivative of `x ** 0` is zero."""
    operands = (bound.operand("x"), bound.operand("y"))
    try:
        shape: Shape | None = shape_of_both(bound)
    except Doubt:
        shape = None
    exponent = operands[1]
    constant = isinstance(exponent, Const) and type(exponent.value) is int and exponent.value == 0
    return result(operands, shape, power_type(bound), Flow.STEPS if constant else Flow.VALUES)


def integer_power(bound: Bound) -> Result:
    """`lax.integer_pow`."""
    flow = Flow.STEPS if bound.integer("y", 1) == 0 else Flow.VALUES
    return result(bound.operand("x"), bound.array("x").shape, bound.typed("x"), flow)


state_call(under("jax.numpy", "power pow"), "x y", power, array=True)
state_call("jax.lax.integer_pow", "x y", integer_power, array=True)
state("jax.lax.pow", "x y", shape_of_both, only("fc", lambda b: Typed(b.typed("x").dtype, None)))
state("jax.numpy.float_power", "x y", shape_of_both, promoted_inexact)
state(
    "jax.numpy.ldexp",
    "x y",
    shape_of_both,
    lambda b: Typed(to_inexact(b.typed("x")).dtype, None),
    derivative_of="x",
)


def where_shape(bound: Bound) -> Shape:
    """The three-argument `where`."""
    if not (bound.given("x") and bound.given("y")):
        raise Doubt
    return broadcast(bound.shape("condition"), shape_of_both(bound))


def where(bound: Bound) -> Result:
    """`where`; with one argument it gives a tuple of index arrays, of unknown length."""
    if not bound.given("x") and not bound.given("y"):
        raise Doubt
    operands = (bound.operand("x"), bound.operand("y"))
    try:
        shape: Shape | None = where_shape(bound)
    except Doubt:
        shape = None
    made = result((bound.operand("condition"), *operands), shape, promoted(bound))
    flowing = result(operands, shape, promoted(bound))
    return type(made)(made.shape, made.dtype, made.weak, "jax", flowing.taint, made.batch)


state_call("jax.numpy.where", "condition x y size fill_value", where, array=True)


def clip_type(bound: Bound) -> Typed:
    """`clip`: the bounds take part in promotion."""
    names = [name for name in ("x", "min", "max", "a_min", "a_max") if bound.given(name)]
    return promote_all([bound.typed(name) for name in names])


def clip_shape(bound: Bound) -> Shape:
    """`clip`."""
    names = [name for name in ("x", "min", "max", "a_min", "a_max") if bound.given(name)]
    return broadcast(*(bound.shape(name) for name in names))


state("jax.numpy.clip", "x min max", clip_shape, clip_type)
state("jax.lax.clamp", "min x max", shape_of_first, type_of_first)


def _select_n_type(bound: Bound) -> Typed:
    first, second = bound.typed("a"), bound.typed("b")
    return promote(first, second)


state(
    "jax.lax.select",
    "condition a b",
    lambda b: b.shape("a"),
    _select_n_type,
    derivative_of="a b",
)


def complex_type(bound: Bound) -> Typed:
    """`lax.complex`."""
    return Typed(complex_of(promoted(bound).dtype), None)


state("jax.lax.complex", "x y", shape_of_both, complex_type)
state(
    "jax.lax.conj",
    "x input_dtype",
    shape_of_first,
    lambda b: Typed(complex_of(b.typed("x").dtype), None),
)


def pair_of(
    first: DtypeRule, second: DtypeRule, shape: Callable[[Bound], Shape], flows: tuple[Flow, Flow]
) -> Callable[[Bound], Result]:
    """An answer of two arrays of one shape."""

    def answer(bound: Bound) -> Result:
        operands = tuple(bound.values.values())
        try:
            common: Shape | None = shape(bound)
        except Doubt:
            common = None
        return (
            result(operands, common, first(bound), flows[0]),
            result(operands, common, second(bound), flows[1]),
        )

    return answer


state_call(
    "jax.numpy.divmod",
    "x y",
    pair_of(not_bool(promoted), not_bool(promoted), shape_of_both, (Flow.STEPS, Flow.VALUES)),
)
state_call(
    "jax.numpy.modf",
    "x",
    pair_of(inexact_of_first, inexact_of_first, shape_of_first, (Flow.VALUES, Flow.STEPS)),
)
state_call(
    "jax.numpy.frexp",
    "x",
    pair_of(
        lambda b: unclaimed(inexact_of_first(b)),
        lambda b: Typed("int32", None),
        shape_of_first,
        (Flow.VALUES, Flow.STEPS),
    ),
)


def astype_type(bound: Bound) -> Typed:
    """The type after a cast."""
    return bound.dtype("dtype")


state("jax.numpy.astype", "x dtype", shape_of_first, astype_type)


_MAY_BE_BUILTIN = ("int", "float", "complex", "int64", "float64", "complex128")


def convert_type(bound: Bound) -> Typed:
    """`lax.convert_element_type`: a builtin as the new dtype may give a weak type."""
    found = bound.operand("dtype")
    asked = bound.dtype("dtype")
    weak = isinstance(found, Const) and found.value in _MAY_BE_BUILTIN
    return Typed(asked.dtype, None if weak else asked.weak)


state("jax.lax.convert_element_type", "x dtype", shape_of_first, convert_type)
state("jax.lax.stop_gradient", "x", shape_of_first, type_of_first, flow=Flow.STEPS)
state("jax.lax.reduce_precision", "x exponent_bits mantissa_bits", shape_of_first, type_of_first)
state(
    "jax.lax.cumsum",
    "x axis reverse",
    shape_of_first,
    not_bool(type_of_first),
)
state(
    under("jax.lax", "cumprod cummax cummin cumlogsumexp"),
    "x axis reverse",
    shape_of_first,
    not_bool(type_of_first),
)
state(
    "jax.numpy.angle",
    "x deg",
    shape_of_first,
    lambda b: Typed(real_part(to_inexact(b.typed("x")).dtype), None),
)


def interp_type(bound: Bound) -> Typed:
    """`interp`."""
    return Typed(
        to_inexact(promote_all([bound.typed(name) for name in ("x", "xp", "fp")])).dtype, None
    )


state("jax.numpy.interp", "x xp fp left right period", shape_of_first, interp_type)
state(
    under("jax.numpy", "polyval"),
    "p x",
    shape_of_first,
    lambda b: Typed(promote(b.typed("p"), b.typed("x")).dtype, None),
)


def _identity(bound: Bound) -> Typed:
    found = bound.array("x")
    return Typed(narrowed(found.dtype), bound.typed("x").weak)


def put(bound: Bound) -> Result:
    """`device_put` of an array or a number; containers are left to the caller."""
    operand = bound.operand("x")
    if not isinstance(operand, (Array, Const)):
        raise Doubt
    return result(operand, bound.array("x").shape, _identity(bound))


def same(bound: Bound) -> Result:
    """`block_until_ready` returns its argument."""
    operand = bound.operand("x")
    if not isinstance(operand, (Array, Const)):
        raise Doubt
    return operand


state_call("jax.device_put", "x device src donate may_alias", put)
state_call("jax.block_until_ready", "x", same)
