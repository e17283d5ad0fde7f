"""A function under `jax.checkpoint` writes a ref from outside."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefAccessed
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """A write to a captured ref in a rematerialised function that is being differentiated."""
    if fact.action not in ("write", "swap", "addupdate") or fact.object.kind == "no_grad_no_remat":
        return
    traces = fact.site.traces
    for trace in fact.closed:
        if trace.kind != "checkpoint":
            continue
        around = traces[: traces.index(trace)]
        if any(outer.kind == "grad" for outer in around):
            yield Finding(
                fact.site.place,
                f"{code(trace.function)} runs twice under `jax.checkpoint` when it is differentiated, and so does this"
                f" write to {accessed_at(fact)}: return the new value instead, or make the ref with"
                ' `kind="no_grad_no_remat"`',
                fact,
                some((trace.place, "it is checkpointed here"), made_here(fact.object)),
            )
            return


RULE = Rule(
    "checkpoint-impure",
    "warning",
    "a checkpointed function writes a ref from outside, which happens twice",
    (RefAccessed,),
    check=check,
)
