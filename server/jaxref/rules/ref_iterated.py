"""A ref is iterated, or converted by NumPy."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, misused_at, simple_words, some


def check(fact: RefMisused) -> Iterator[Finding]:
    """Loops over refs and NumPy conversions, which fail behind the last row."""
    if fact.how != "iterate":
        return
    read = code(f"{simple_words(fact.expression) or fact.object.name or 'ref'}[...]")
    yield Finding(
        fact.site.place,
        f"{misused_at(fact)} is a ref and cannot be iterated or converted by NumPy: read its value with {read}",
        fact,
        some(made_here(fact.object)),
    )


RULE = Rule(
    "ref-iterated",
    "error",
    "a ref is iterated or converted by NumPy",
    (RefMisused,),
    ("ValueError", "TypeError"),
    check,
)
