"""An entry asks for the gradient of a ref as a value."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Array, Const, Sentinel, ShapeStruct
from jaxref.facts import Entry, RefsBound
from jaxref.rules.entries import pairs
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import (
    code,
    entry_words,
    leaf_words,
    made_here,
    some,
    value_type,
    vjp_made_here,
)


def check(fact: RefsBound) -> Iterator[Finding]:
    """The first entry that is certainly neither a ref nor a `DontWant()` for a Ref-typed leaf."""
    for leaf, entry in pairs(fact):
        if leaf.is_ref and not entry.refs and _is_value(entry):
            made = made_here(leaf.refs[0][1])
            yield Finding(
                fact.site.place,
                f"the gradient of {leaf_words(leaf, fact.vjp, fact.vjp.function)} cannot be returned as a value,"
                f" it can only be accumulated into a ref: its entry {_what(entry)} must be a ref or `DontWant()`",
                fact,
                some(vjp_made_here(fact.vjp), made),
                certain=leaf.certain,
            )
            return


def _is_value(entry: Entry) -> bool:
    value = entry.value
    if isinstance(value, Sentinel):
        return not (value.instance and value.kind == "DontWant")
    return isinstance(value, (Array, Const, ShapeStruct))


def _what(entry: Entry) -> str:
    kind = value_type(entry.value)
    words = entry_words(entry)
    return (
        f"{words} ({code(kind)})"
        if kind and code(kind) != words and not isinstance(entry.value, Sentinel)
        else words
    )


RULE = Rule(
    "ref-gradient-as-value",
    "error",
    "`with_refs` asks for the gradient of a ref as a value",
    (RefsBound,),
    ("ValueError",),
    check,
)
