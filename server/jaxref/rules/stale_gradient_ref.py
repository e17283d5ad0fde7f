"""A gradient is added to one of an older state of the same parameter."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import entry_words, leaf_words, made_here, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """The parameter was stored into since its gradient ref was last added to, and that was not reset.

    Accumulation alone is what gradient refs are for: only the update in between tells.
    """
    if fact.binding is None or not fact.stale:
        return
    index = fact.stale[0]
    leaf, entry = fact.vjp.leaves[index], fact.binding.entries[index]
    if leaf.written:
        return
    yield Finding(
        fact.site.place,
        f"{entry_words(entry)} still holds the gradient from before {leaf_words(leaf, fact.vjp, fact.vjp.function)} was"
        " updated, and this one is added to it: reset the gradient ref after each update",
        fact,
        some(vjp_made_here(fact.vjp), made_here(entry.refs[0][1])),
    )


RULE = Rule(
    "stale-gradient-ref",
    "warning",
    "a gradient ref is not reset after the parameter was updated",
    (VjpApplied,),
    check=check,
)
