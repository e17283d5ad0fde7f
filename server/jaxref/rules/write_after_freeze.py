"""A ref is written after `jax.freeze`: the frozen array changes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefAccessed
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """Writes and accumulated gradients in running code."""
    if fact.object.frozen is not True or fact.action not in (
        "write",
        "swap",
        "addupdate",
        "accumulate",
    ):
        return
    if any(trace.staged for trace in fact.site.traces) or fact.object.many:
        return
    yield Finding(
        fact.site.place,
        f"{accessed_at(fact)} is written after it was frozen, and the frozen array changes with it: make"
        " a new ref from the frozen value",
        fact,
        some(
            (fact.object.frozen_at, "it is frozen here")
            if fact.object.frozen_at is not None
            else None,
            made_here(fact.object),
        ),
    )


RULE = Rule(
    "write-after-freeze",
    "warning",
    "a ref is written after it was frozen, which changes the frozen array",
    (RefAccessed,),
    check=check,
)
