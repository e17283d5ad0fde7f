"""A bound VJP that returns gradients as values is applied twice."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Sentinel
from jaxref.facts import VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """The second application of one binding with a `GradValue()` entry, or without entries."""
    binding = fact.binding
    if binding is None or not fact.applied:
        return
    kept = binding.empty or any(
        not entry.refs
        and isinstance(entry.value, Sentinel)
        and not (entry.value.instance and entry.value.kind == "DontWant")
        for entry in binding.entries
    )
    if not kept:
        return
    yield Finding(
        fact.site.place,
        f"this bound VJP of {code(fact.vjp.function)} was applied before and keeps what it returned: a gradient"
        " returned as a value is the sum of all applications so far, so call `with_refs` anew for each",
        fact,
        some((binding.place, "it is bound here"), vjp_made_here(fact.vjp)),
    )


RULE = Rule(
    "bound-vjp-reused",
    "warning",
    "a bound VJP that returns gradients as values is applied more than once",
    (VjpApplied,),
    check=check,
)
