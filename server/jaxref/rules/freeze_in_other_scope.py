"""A ref is frozen in another traced function than it was made in."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefAccessed
from jaxref.rules.freezing import foreign_stage, staged_calls
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """`jax.freeze` and `jax.free_ref` of an argument or a captured ref in staged code."""
    if fact.action not in ("freeze", "free"):
        return
    trace = foreign_stage(fact)
    if trace is None or fact.object.how in ("parameter", "kernel"):
        return
    yield Finding(
        fact.site.place,
        f"{accessed_at(fact)} is made outside of {code(trace.function)}, which is traced by"
        f" `{trace.name}` and cannot end it: read it with `[...]` here, and freeze it where it was made",
        fact,
        some(*staged_calls(fact), made_here(fact.object)),
    )


RULE = Rule(
    "freeze-in-other-scope",
    "error",
    "a ref is frozen in another traced function than it was made in",
    (RefAccessed,),
    ("IndexError", "KeyError", "AssertionError"),
    check,
)
