"""A value of another shape or dtype is stored into a ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Array, Const
from jaxref.facts import RefAccessed
from jaxref.jaxmodel.arrays import as_array, aval_text, canonical_dtype
from jaxref.rules.gradient_ref_type import shapes_differ
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """Stores neither broadcast nor cast."""
    if fact.action not in ("write", "swap", "addupdate") or fact.object.how == "kernel":
        return
    value = fact.value
    if isinstance(value, Const) and isinstance(value.value, (bool, int, float, complex)):
        value = as_array(value)
    if not isinstance(value, Array):
        return
    dtype = value.dtype
    if dtype is not None and value.origin in ("numpy", "python"):
        dtype = canonical_dtype(dtype)
    bad_shape = shapes_differ(fact.place_shape, value.shape)
    bad_dtype = (
        dtype is not None and fact.ref.dtype is not None and not _storable(dtype, fact.ref.dtype)
    )
    if not (bad_shape or bad_dtype):
        return
    place = aval_text(Array(fact.place_shape, fact.ref.dtype)) or "?"
    given = aval_text(Array(value.shape, dtype)) or "?"
    what = "broadcast" if bad_shape else "cast"
    yield Finding(
        fact.site.place,
        f"a store into a ref does not {what}: this place of {accessed_at(fact)} is a {code(place)}, the"
        f" value is a {code(given)}",
        fact,
        some(made_here(fact.object)),
    )


def _storable(dtype: str, wanted: str) -> bool:
    return dtype == wanted or dtype.startswith("key") or wanted.startswith("key")


RULE = Rule(
    "ref-store-type",
    "error",
    "a value of another shape or dtype is stored into a ref",
    (RefAccessed,),
    ("ValueError",),
    check,
)
