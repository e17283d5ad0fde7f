"""Products that contract axes: `matmul`, `dot`, `tensordot`, `einsum` and their like."""

from __future__ import annotations

from jaxref.domain.values import Shape
from jaxref.jaxmodel.arrays.call import (
    Bound,
    Doubt,
    Operand,
    as_array,
    axes_in,
    int_of,
    ints_of,
    typed_of,
)
from jaxref.jaxmodel.arrays.dtypes import UNTYPED, Typed, promote, promote_all, unclaimed
from jaxref.jaxmodel.arrays.registry import state, under
from jaxref.jaxmodel.arrays.shapes import broadcast, dot, matmul, same_dim, size_of, times


def product_type(bound: Bound) -> Typed:
    """The promoted type of both operands, or the one that is asked for."""
    if bound.given("preferred_element_type"):
        return bound.dtype("preferred_element_type")
    found = promote(bound.typed("a"), bound.typed("b"))
    return unclaimed(found)


def outer_shape(bound: Bound) -> Shape:
    """`outer` of the flattened operands."""
    return (size_of(bound.shape("a")), size_of(bound.shape("b")))


def inner_shape(bound: Bound) -> Shape:
    """`inner`: over the last axis of both."""
    a, b = bound.shape("a"), bound.shape("b")
    if not a or not b:
        return a + b
    same_dim(a[-1], b[-1])
    return a[:-1] + b[:-1]


def kron_shape(bound: Bound) -> Shape:
    """`kron`."""
    a, b = bound.shape("a"), bound.shape("b")
    ndim = max(len(a), len(b))
    a, b = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
    return tuple(times(x, y) for x, y in zip(a, b, strict=True))


def tensordot_shape(bound: Bound) -> Shape:
    """`tensordot`."""
    a, b = bound.shape("a"), bound.shape("b")
    axes: Operand | None = bound.values.get("axes")
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise Doubt
        over_a, over_b = axes_in(ints_of(axes[0]), len(a)), axes_in(ints_of(axes[1]), len(b))
    else:
        count = 2 if axes is None else int_of(axes)
        if not 0 <= count <= min(len(a), len(b)):
            raise Doubt
        over_a, over_b = tuple(range(len(a) - count, len(a))), tuple(range(count))
    if len(over_a) != len(over_b):
        raise Doubt
    for x, y in zip(over_a, over_b, strict=True):
        same_dim(a[x], b[y])
    rest_a = tuple(size for axis, size in enumerate(a) if axis not in over_a)
    return rest_a + tuple(size for axis, size in enumerate(b) if axis not in over_b)


def cross_shape(bound: Bound) -> Shape:
    """`cross` of vectors of three along the last axis."""
    if any(name in bound.values for name in ("axisa", "axisb", "axisc", "axis")):
        raise Doubt
    a, b = bound.shape("a"), bound.shape("b")
    if not a or not b or a[-1] != 3 or b[-1] != 3:
        raise Doubt
    return broadcast(a, b)


state(
    under("jax.numpy jax.numpy.linalg", "matmul"),
    "a b * preferred_element_type",
    lambda b: matmul(b.shape("a"), b.shape("b")),
    product_type,
)
state(
    "jax.numpy.dot",
    "a b * preferred_element_type",
    lambda b: dot(b.shape("a"), b.shape("b")),
    product_type,
)
state("jax.numpy.vdot", "a b * preferred_element_type", lambda b: (), product_type)
state(under("jax.numpy jax.numpy.linalg", "outer"), "a b", outer_shape, product_type)
state("jax.numpy.inner", "a b * preferred_element_type", inner_shape, product_type)
state("jax.numpy.kron", "a b", kron_shape, product_type)
state(
    under("jax.numpy jax.numpy.linalg", "tensordot"),
    "a b axes * preferred_element_type",
    tensordot_shape,
    product_type,
)
state("jax.numpy.cross", "a b axisa axisb axisc axis", cross_shape, product_type)


def lax_dot_type(bound: Bound) -> Typed:
    """`lax.dot` does not promote; with operands of two dtypes its result is left open."""
    first, second = bound.typed("a").dtype, bound.typed("b").dtype
    if first != second and not bound.given("preferred_element_type"):
        return UNTYPED
    return product_type(bound)


state(
    "jax.lax.dot",
    "a b * preferred_element_type",
    lambda b: dot(b.shape("a"), b.shape("b")),
    lax_dot_type,
)


def vecdot_shape(bound: Bound) -> Shape:
    """`vecdot` along the last axis."""
    if bound.integer("axis", -1) != -1:
        raise Doubt
    found = broadcast(bound.shape("a"), bound.shape("b"))
    if not found:
        raise Doubt
    return found[:-1]


state(under("jax.numpy jax.numpy.linalg", "vecdot"), "a b", vecdot_shape, product_type)


def einsum_shape(bound: Bound) -> Shape:
    """`einsum` with a subscripts string, an ellipsis included."""
    subscripts = bound.text("subscripts", None)
    if subscripts is None:
        raise Doubt
    return einsum_result(subscripts, [as_array(item).shape for item in bound.rest])


def einsum_result(subscripts: str, shapes: list[Shape | None]) -> Shape:
    """The shape that `subscripts` makes of operands of `shapes`."""
    text = subscripts.replace(" ", "")
    inputs, arrow, output = text.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(shapes):
        raise Doubt
    sizes: dict[str, int | None] = {}
    spread: list[Shape] = []
    for term, shape in zip(terms, shapes, strict=True):
        if shape is None:
            raise Doubt
        spread.append(_read_term(term, shape, sizes))
    common = broadcast(*spread)
    if not arrow:
        letters = inputs.replace(",", "").replace("...", "")
        once = sorted(letter for letter in set(letters) if letters.count(letter) == 1)
        output = ("..." if "..." in inputs else "") + "".join(once)
    before, dots, after = output.partition("...")
    if any(letter not in sizes for letter in before + after) or (common and not dots):
        raise Doubt
    return (
        *(sizes[letter] for letter in before),
        *(common if dots else ()),
        *(sizes[letter] for letter in after),
    )


def _read_term(term: str, shape: Shape, sizes: dict[str, int | None]) -> Shape:
    """Enter the sizes of one operand's letters; the shape under its ellipsis."""
    before, dots, after = term.partition("...")
    if not (before + after).isalpha() and before + after:
        raise Doubt
    free = len(shape) - len(before) - len(after)
    if free < 0 or (free and not dots):
        raise Doubt
    named = shape[: len(before)] + shape[len(shape) - len(after) :]
    for letter, size in zip(before + after, named, strict=True):
        known = sizes.get(letter)
        if letter not in sizes or known == 1:
            sizes[letter] = size
        elif size != 1:
            sizes[letter] = same_dim(known, size)
    return shape[len(before) : len(before) + free]


def einsum_type(bound: Bound) -> Typed:
    """The promoted type of the operands."""
    if bound.given("preferred_element_type"):
        return bound.dtype("preferred_element_type")
    if bound.text("subscripts", None) is None:
        return UNTYPED
    found = promote_all([typed_of(as_array(item)) for item in bound.rest])
    return unclaimed(found)


state("jax.numpy.einsum", "subscripts * preferred_element_type optimize", einsum_shape, einsum_type)
