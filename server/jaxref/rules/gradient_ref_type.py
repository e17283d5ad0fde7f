"""A gradient ref has another shape or dtype than the primal it is for."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Array, Const, RefValue, Shape, Value
from jaxref.facts import RefsBound
from jaxref.jaxmodel.arrays import as_array
from jaxref.rules.entries import pairs
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import (
    code,
    entry_words,
    leaf_type,
    leaf_words,
    made_here,
    ref_type,
    some,
    vjp_made_here,
)


def check(fact: RefsBound) -> Iterator[Finding]:
    """The first gradient ref whose type certainly differs from its leaf's."""
    for leaf, entry in pairs(fact):
        if len(entry.refs) != 1 or (not leaf.certain and leaf.is_ref):
            continue
        ref, found = entry.refs[0]
        wanted = _aval(leaf.refs[0][0] if len(leaf.refs) == 1 else leaf.value)
        if wanted is None:
            continue
        if shapes_differ(wanted[0], ref.shape) or _dtypes_differ(wanted[1], ref.dtype):
            yield Finding(
                fact.site.place,
                f"the gradient ref {entry_words(entry)} is a {code(ref_type(ref) or 'Ref')}, but"
                f" {leaf_words(leaf, fact.vjp, fact.vjp.function)} is a {code(leaf_type(leaf) or '?')}: shape and dtype"
                " must be the same",
                fact,
                some(vjp_made_here(fact.vjp), made_here(found)),
            )
            return


def _aval(value: Value) -> tuple[Shape | None, str | None] | None:
    if isinstance(value, RefValue):
        return value.shape, value.dtype
    if isinstance(value, Const) and isinstance(value.value, (float, complex)):
        value = as_array(value)
    if isinstance(value, Array):
        dtype = value.dtype
        if dtype is None or not dtype.startswith(("float", "bfloat", "complex")):
            # Gradients of whole numbers are float0, unless a ref takes them: not decided here.
            return None
        narrowed = {"float64": "float32", "complex128": "complex64"}
        return value.shape, narrowed.get(dtype, dtype) if value.origin != "jax" else dtype
    return None


def shapes_differ(left: Shape | None, right: Shape | None) -> bool:
    """True when two shapes certainly differ."""
    if left is None or right is None:
        return False
    if len(left) != len(right):
        return True
    return any(a is not None and b is not None and a != b for a, b in zip(left, right, strict=True))


def _dtypes_differ(left: str | None, right: str | None) -> bool:
    return left is not None and right is not None and left != right


RULE = Rule(
    "gradient-ref-type",
    "error",
    "a gradient ref has another shape or dtype than its primal",
    (RefsBound,),
    ("ValueError",),
    check,
)
