"""`jax.nn`: activations, normalisations and encodings; `jax.nn.initializers` are left open."""

from __future__ import annotations

from jaxref.domain.values import Shape
from jaxref.jaxmodel.arrays.call import Bound, Doubt
from jaxref.jaxmodel.arrays.dtypes import UNTYPED, Typed, kind, promote, to_inexact, unclaimed
from jaxref.jaxmodel.arrays.registry import (
    Flow,
    Result,
    certain_shape,
    certain_type,
    result,
    state,
    state_call,
    under,
)
from jaxref.jaxmodel.arrays.shapes import broadcast


def kept_shape(bound: Bound) -> Shape:
    """The operand's shape."""
    return bound.shape("x")


def float_only(bound: Bound) -> Typed:
    """The operand's type where it is inexact; what whole numbers become differs, so it is left open."""
    found = bound.typed("x")
    return unclaimed(found) if kind(found.dtype) in ("f", "c") else UNTYPED


def as_float(bound: Bound) -> Typed:
    """The operand's type, whole numbers as floats."""
    return unclaimed(to_inexact(bound.typed("x")))


state(
    under(
        "jax.nn",
        "relu relu6 softplus soft_sign silu swish log_sigmoid sigmoid hard_tanh hard_sigmoid",
    ),
    "x",
    kept_shape,
    float_only,
)
state(
    under("jax.nn", "hard_silu hard_swish mish sparse_plus sparse_sigmoid selu"),
    "x",
    kept_shape,
    float_only,
)


def with_slope(bound: Bound) -> Shape:
    """The operand with the activation's parameter, which is an array like any other."""
    return (
        broadcast(bound.shape("x"), bound.shape("slope"))
        if "slope" in bound.values
        else kept_shape(bound)
    )


def with_slope_type(bound: Bound) -> Typed:
    """The joint type of operand and parameter, where the operand is a float."""
    found = float_only(bound)
    if "slope" in bound.values:
        found = (
            unclaimed(promote(bound.typed("x"), bound.typed("slope"))) if found.dtype else UNTYPED
        )
    return found


state(under("jax.nn", "elu celu leaky_relu squareplus"), "x slope", with_slope, with_slope_type)
state("jax.nn.gelu", "x approximate", kept_shape, float_only)
state("jax.nn.tanh", "x", kept_shape, as_float)
state("jax.nn.identity", "x", kept_shape, lambda b: unclaimed(b.typed("x")))
state(
    under("jax.nn", "softmax log_softmax"),
    "x axis where",
    kept_shape,
    float_only,
)
state("jax.nn.standardize", "x axis mean variance epsilon where", kept_shape, float_only)


def glu_shape(bound: Bound) -> Shape:
    """`glu`: half of one axis."""
    shape = bound.shape("x")
    along = bound.axis("axis", len(shape), -1)
    size = shape[along]
    if size is not None and size % 2:
        raise Doubt
    return (*shape[:along], None if size is None else size // 2, *shape[along + 1 :])


state("jax.nn.glu", "x axis", glu_shape, float_only)


def one_hot_shape(bound: Bound) -> Shape:
    """`one_hot`: a new axis of `num_classes`."""
    shape = bound.shape("x")
    at = bound.integer("axis", -1)
    ndim = len(shape) + 1
    if not -ndim <= at < ndim:
        raise Doubt
    at %= ndim
    return (*shape[:at], bound.size("num_classes"), *shape[at:])


def one_hot_type(bound: Bound) -> Typed:
    """`one_hot`: float32 unless a dtype is asked for."""
    asked = bound.dtype("dtype", Typed("float32", False))
    return Typed(asked.dtype, None)


state(
    "jax.nn.one_hot",
    "x num_classes * dtype axis",
    one_hot_shape,
    one_hot_type,
    flow=Flow.STEPS,
)


def attention_type(bound: Bound) -> Typed:
    """`dot_product_attention`: the query's type."""
    return Typed(bound.typed("query").dtype, None)


def attention(bound: Bound) -> Result:
    """`dot_product_attention`: one array, or a pair with the residuals."""
    found = result(
        tuple(bound.values.values()),
        certain_shape(attention_shape, bound),
        certain_type(attention_type, bound),
    )
    if bound.flag("return_residual", False):
        return (found, result(tuple(bound.values.values()), None, UNTYPED))
    return found


def attention_shape(bound: Bound) -> Shape:
    """`dot_product_attention`: the query's shape with the values' width."""
    query, value = bound.shape("query"), bound.shape("value")
    if len(query) not in (3, 4) or len(value) != len(query):
        raise Doubt
    return (*query[:-1], value[-1])


state_call(
    "jax.nn.dot_product_attention",
    "query key value bias mask * scale is_causal query_seq_lengths key_value_seq_lengths "
    "local_window_size implementation return_residual",
    attention,
)
