"""A checkpointed function writes a differentiated value into a ref that it made of a constant."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Array
from jaxref.facts import RefAccessed
from jaxref.rules.freezing import staged_calls
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """A write under `jax.checkpoint` that is being differentiated."""
    if fact.action not in ("write", "swap", "addupdate") or fact.object.kind == "no_grad_no_remat":
        return
    traces = fact.site.traces
    inner = next((trace for trace in reversed(traces) if trace.kind == "checkpoint"), None)
    if inner is None or inner.id not in fact.object.traces or not isinstance(fact.value, Array):
        return
    made_of = fact.object.content
    outer = {trace.id for trace in traces[: traces.index(inner)] if trace.kind == "grad"}
    if not isinstance(made_of, Array) or made_of.taint & outer or not fact.value.taint & outer:
        return
    yield Finding(
        fact.site.place,
        f"{accessed_at(fact)} is made of a constant in {code(inner.function)}, which is checkpointed, and JAX cannot"
        " write a differentiated value into it: make the ref of a differentiated value, or leave out the checkpoint",
        fact,
        some(
            *[
                (trace.place, f"{code(trace.function)} is differentiated here")
                for trace in traces
                if trace.id in outer
            ],
            *staged_calls(fact),
            made_here(fact.object),
        ),
    )


RULE = Rule(
    "checkpoint-local-ref",
    "error",
    "a checkpointed function writes a differentiated value into a ref it made of a constant",
    (RefAccessed,),
    ("NotImplementedError",),
    check,
)
