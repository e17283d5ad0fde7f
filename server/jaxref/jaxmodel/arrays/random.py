"""`jax.random`: keys and samples. A sample's shape and dtype come from its arguments alone."""

from __future__ import annotations

from jaxref.domain.values import Array, Const, Shape
from jaxref.jaxmodel.arrays.call import Bound, Doubt, as_array, dims_of
from jaxref.jaxmodel.arrays.dtypes import KEY, UNTYPED, Typed, strong
from jaxref.jaxmodel.arrays.registry import Flow, Result, result, state, state_call, under
from jaxref.jaxmodel.arrays.shapes import broadcast, known

FLOAT32 = Typed("float32", None)
INT32 = Typed("int32", None)


def _named_impl(bound: Bound) -> bool:
    return bound.given("impl")


def key_type(bound: Bound) -> Typed:
    """The type of a new key of the default implementation."""
    return UNTYPED if _named_impl(bound) else Typed(KEY, False)


state("jax.random.key", "seed impl", lambda b: b.shape("seed"), key_type, flow=Flow.STEPS)
state(
    "jax.random.PRNGKey",
    "seed impl",
    lambda b: _raw_shape(b),
    lambda b: Typed("uint32", False),
    flow=Flow.STEPS,
)


def _raw_shape(bound: Bound) -> Shape:
    if _named_impl(bound):
        raise Doubt
    return (*bound.shape("seed"), 2)


def _key_of(bound: Bound) -> Array:
    found = bound.array("key")
    if found.dtype is None or found.shape is None:
        raise Doubt
    return found


def split_shape(bound: Bound) -> Shape:
    """`split`: the asked-for number of keys, raw ones keep their two words."""
    key = _key_of(bound)
    count = dims_of(bound.operand("num")) if "num" in bound.values else (2,)
    if key.dtype == "uint32":
        if key.shape != (2,):
            raise Doubt
        return (*count, 2)
    if key.shape != ():
        raise Doubt
    return count


def same_key(bound: Bound) -> Typed:
    """The type of the given key."""
    return Typed(bound.array("key").dtype, False)


state("jax.random.split", "key num", split_shape, same_key, flow=Flow.STEPS)
state(
    "jax.random.fold_in",
    "key data",
    lambda b: known(_key_of(b).shape),
    same_key,
    flow=Flow.STEPS,
)
state("jax.random.clone", "key", lambda b: known(b.array("key").shape), same_key)


def _key_data_shape(bound: Bound) -> Shape:
    key = _key_of(bound)
    if key.dtype == "uint32":
        return known(key.shape)
    if key.dtype != KEY:
        raise Doubt
    return (*known(key.shape), 2)


state("jax.random.key_data", "key", _key_data_shape, lambda b: Typed("uint32", False))


def shape_or_scalar(bound: Bound) -> Shape:
    """The `shape` argument, () where it is absent."""
    if not bound.given("shape"):
        return ()
    return dims_of(bound.operand("shape"))


def shaped_by_operands(bound: Bound, *parameters: str) -> Shape:
    """The `shape` argument, else the broadcast shape of the parameters."""
    if bound.given("shape"):
        return dims_of(bound.operand("shape"))
    return broadcast(*(bound.shape(name) for name in parameters if bound.given(name)))


def float_type(bound: Bound) -> Typed:
    """The `dtype` argument, float32 where it is absent."""
    return strong(bound.dtype("dtype", FLOAT32))


state(
    under("jax.random", "normal cauchy exponential gumbel laplace logistic"),
    "key shape dtype mode",
    shape_or_scalar,
    float_type,
    flow=Flow.STEPS,
)
state(
    "jax.random.uniform",
    "key shape dtype minval maxval",
    shape_or_scalar,
    float_type,
    derivative_of="minval maxval",
)
state(
    "jax.random.truncated_normal",
    "key lower upper shape dtype",
    lambda b: shaped_by_operands(b, "lower", "upper"),
    float_type,
    derivative_of="lower upper",
)


for _name, _parameters in (
    ("gamma", "a"),
    ("loggamma", "a"),
    ("beta", "a b"),
    ("t", "df"),
    ("chisquare", "df"),
    ("pareto", "b"),
    ("f", "dfnum dfden"),
    ("wald", "mean"),
):

    def _shape(bound: Bound, names: tuple[str, ...] = tuple(_parameters.split())) -> Shape:
        return shaped_by_operands(bound, *names)

    state(
        f"jax.random.{_name}",
        f"key {_parameters} shape dtype",
        _shape,
        float_type,
        derivative_of=_parameters,
    )

state(
    "jax.random.rayleigh",
    "key scale shape dtype",
    lambda b: shaped_by_operands(b, "scale"),
    float_type,
    derivative_of="scale",
)
state(
    "jax.random.weibull_min",
    "key scale concentration shape dtype",
    shape_or_scalar,
    float_type,
    derivative_of="scale concentration",
)
state(
    "jax.random.lognormal",
    "key sigma shape dtype",
    shape_or_scalar,
    float_type,
    derivative_of="sigma",
)
state(
    "jax.random.double_sided_maxwell",
    "key loc scale shape dtype",
    shape_or_scalar,
    float_type,
    derivative_of="loc scale",
)
state("jax.random.maxwell", "key shape dtype", shape_or_scalar, float_type, flow=Flow.STEPS)
state(
    "jax.random.randint",
    "key shape minval maxval dtype",
    shape_or_scalar,
    lambda b: strong(b.dtype("dtype", INT32)),
    flow=Flow.STEPS,
)
state(
    "jax.random.bits",
    "key shape dtype",
    shape_or_scalar,
    lambda b: strong(b.dtype("dtype", Typed("uint32", None))),
    flow=Flow.STEPS,
)
state(
    "jax.random.bernoulli",
    "key p shape",
    lambda b: (
        dims_of(b.operand("shape"))
        if b.given("shape")
        else (b.shape("p") if "p" in b.values else ())
    ),
    lambda b: Typed("bool", None),
    flow=Flow.STEPS,
)
state(
    "jax.random.rademacher",
    "key shape dtype",
    shape_or_scalar,
    lambda b: strong(b.dtype("dtype", INT32)),
    flow=Flow.STEPS,
)
state(
    "jax.random.poisson",
    "key lam shape dtype",
    lambda b: shaped_by_operands(b, "lam"),
    lambda b: strong(b.dtype("dtype", INT32)),
    flow=Flow.STEPS,
)
state(
    "jax.random.binomial",
    "key n p shape dtype",
    lambda b: shaped_by_operands(b, "n", "p"),
    float_type,
    flow=Flow.STEPS,
)
state(
    "jax.random.geometric",
    "key p shape dtype",
    lambda b: shaped_by_operands(b, "p"),
    lambda b: strong(b.dtype("dtype", INT32)),
    flow=Flow.STEPS,
)


def categorical_shape(bound: Bound) -> Shape:
    """`categorical`: the logits' shape without the axis of the classes."""
    logits = bound.shape("logits")
    along = bound.axis("axis", len(logits), -1)
    if bound.given("shape"):
        return dims_of(bound.operand("shape"))
    return tuple(size for axis, size in enumerate(logits) if axis != along)


state(
    "jax.random.categorical",
    "key logits axis shape replace mode",
    categorical_shape,
    lambda b: INT32,
    flow=Flow.STEPS,
)
state(
    "jax.random.dirichlet",
    "key alpha shape dtype",
    lambda b: (
        (*dims_of(b.operand("shape")), b.shape("alpha")[-1])
        if b.given("shape")
        else b.shape("alpha")
    ),
    float_type,
    derivative_of="alpha",
)


def multivariate_shape(bound: Bound) -> Shape:
    """`multivariate_normal`: the batch shape, then the size of an event."""
    mean, cov = bound.shape("mean"), bound.shape("cov")
    if not mean or len(cov) < 2:
        raise Doubt
    if bound.given("shape"):
        return (*dims_of(bound.operand("shape")), mean[-1])
    return (*broadcast(mean[:-1], cov[:-2]), mean[-1])


def multivariate_type(bound: Bound) -> Typed:
    """`multivariate_normal`: float32 parameters give float32."""
    if bound.given("dtype"):
        return strong(bound.dtype("dtype"))
    types = {bound.typed("mean").dtype, bound.typed("cov").dtype}
    return FLOAT32 if types == {"float32"} else UNTYPED


state(
    "jax.random.multivariate_normal",
    "key mean cov shape dtype method",
    multivariate_shape,
    multivariate_type,
    derivative_of="mean cov",
)
state(
    "jax.random.orthogonal",
    "key n shape dtype m",
    lambda b: (
        *shape_or_scalar(b),
        b.size("n"),
        b.size("m") if b.given("m") else b.size("n"),
    ),
    float_type,
    flow=Flow.STEPS,
)
state(
    "jax.random.ball",
    "key d p shape dtype",
    lambda b: (*shape_or_scalar(b), b.size("d")),
    float_type,
    flow=Flow.STEPS,
)


def _population(bound: Bound, name: str) -> tuple[Shape, int]:
    """The shape of the population and the axis that is drawn from; an integer means `arange`."""
    found = as_array(bound.operand(name))
    shape = known(found.shape)
    if not shape:
        return (None,), 0
    return shape, bound.axis("axis", len(shape), 0)


def choice_shape(bound: Bound) -> Shape:
    """`choice`: the drawn axis becomes the shape that is asked for."""
    shape, along = _population(bound, "a")
    return (*shape[:along], *shape_or_scalar(bound), *shape[along + 1 :])


def choice_type(bound: Bound) -> Typed:
    """`choice`: the population's type."""
    found = bound.typed("a")
    return Typed(found.dtype, None)


state(
    "jax.random.choice",
    "key a shape replace p axis mode",
    choice_shape,
    choice_type,
    derivative_of="a",
)


def permutation(bound: Bound) -> Result:
    """`permutation` of an array or of the first whole numbers."""
    operand = bound.operand("x")
    found = as_array(operand)
    if isinstance(operand, Const):
        return result(bound.operand("key"), (bound.size("x"),), INT32)
    if found.shape == ():
        return result(bound.operand("key"), (None,), Typed(bound.typed("x").dtype, None))
    operands = (bound.operand("key"), operand)
    return result(operands, found.shape, Typed(bound.typed("x").dtype, None))


state_call("jax.random.permutation", "key x axis independent", permutation, array=True)
