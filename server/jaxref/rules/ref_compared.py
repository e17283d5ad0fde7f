"""A ref is compared with a value: always unequal."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, misused_at, simple_words, some


def check(fact: RefMisused) -> Iterator[Finding]:
    """Comparison and membership, which ask for the identity of the ref."""
    if fact.how not in ("compare", "contains"):
        return
    read = code(f"{simple_words(fact.expression) or fact.object.name or 'ref'}[...]")
    yield Finding(
        fact.site.place,
        f"comparing {misused_at(fact)} compares the ref itself, never its content: compare {read}",
        fact,
        some(made_here(fact.object)),
    )


RULE = Rule(
    "ref-compared",
    "warning",
    "a ref is compared with a value, which is always unequal",
    (RefMisused,),
    (),
    check,
)
