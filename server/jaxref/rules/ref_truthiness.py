"""The truth of a ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, misused_at, simple_words, some


def check(fact: RefMisused) -> Iterator[Finding]:
    """A ref as a condition: an error for scalars, the truth of its length otherwise."""
    if fact.how != "truth" or (fact.object.traces and fact.ref.shape is None):
        return
    read = code(f"{simple_words(fact.expression) or fact.object.name or 'ref'}[...]")
    if fact.ref.shape == ():
        yield Finding(
            fact.site.place,
            f"a scalar ref has no truth value, and {misused_at(fact)} is one: ask for that of {read}",
            fact,
            some(made_here(fact.object)),
        )
    elif fact.ref.shape:
        yield Finding(
            fact.site.place,
            f"the truth of {misused_at(fact)} is that of its length, not of its content: use {read}, or"
            " `is not None` to ask whether there is a ref",
            fact,
            some(made_here(fact.object)),
            severity="warning",
        )


RULE = Rule(
    "ref-truthiness",
    "error",
    "a ref is used as a condition",
    (RefMisused,),
    ("TypeError",),
    check,
)
