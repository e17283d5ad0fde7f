"""What freezing means where."""

from __future__ import annotations

from jaxref.facts import Place, RefAccessed, Trace


def staged_home(fact: RefAccessed) -> Trace | None:
    """The innermost staged trace that the ref was made under; None for a ref made in running code."""
    for trace in reversed(fact.site.traces):
        if trace.staged and trace.id in fact.object.traces:
            return trace
    return None


def foreign_stage(fact: RefAccessed) -> Trace | None:
    """The innermost staged trace, when the ref comes from outside of it."""
    for trace in reversed(fact.site.traces):
        if trace.staged:
            return None if trace.id in fact.object.traces else trace
    return None


def staged_calls(fact: RefAccessed) -> list[tuple[Place, str]]:
    """The calls that trace the code, the outermost first: JAX notices at one of them."""
    return [
        (trace.place, "JAX raises when this call is traced")
        for trace in fact.site.traces
        if trace.staged
    ]
