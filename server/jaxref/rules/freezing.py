"""What freezing means where."""

from __future__ import annotations

from jaxref.facts import RefAccessed, Trace


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
