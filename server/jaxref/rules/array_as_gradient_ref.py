"""An array is bound where a gradient ref is meant."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Array, Const, Opaque, ShapeStruct, Unknown
from jaxref.facts import RefsBound
from jaxref.rules.entries import pairs
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, entry_words, leaf_words, some, value_type, vjp_made_here


def check(fact: RefsBound) -> Iterator[Finding]:
    """An array for an array leaf: JAX takes it for `GradValue()` and leaves the array as it was."""
    for leaf, entry in pairs(fact):
        if leaf.is_ref or isinstance(leaf.value, (Unknown, Opaque)):
            continue
        if isinstance(entry.value, (Array, ShapeStruct)) or (
            isinstance(entry.value, Const) and isinstance(entry.value.value, (int, float))
        ):
            kind = value_type(entry.value)
            yield Finding(
                fact.site.place,
                f"{entry_words(entry)}{f' ({code(kind)})' if kind else ''} is no ref: nothing is accumulated into it, the"
                f" gradient of {leaf_words(leaf, fact.vjp, fact.vjp.function)} is returned as a value, so give a ref"
                " or `GradValue()`",
                fact,
                some(vjp_made_here(fact.vjp)),
            )
            return


RULE = Rule(
    "array-as-gradient-ref",
    "warning",
    "an array is given to `with_refs` where a gradient ref is meant",
    (RefsBound,),
    check=check,
)
