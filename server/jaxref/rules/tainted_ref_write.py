"""A value that is being differentiated is stored into a ref that is not."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefAccessed
from jaxref.rules.freezing import staged_calls
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """Stores whose value depends on a differentiation trace that the ref is outside of."""
    if not fact.taint:
        return
    trace = fact.taint[0]
    if fact.action == "addupdate":
        message = (
            f"`addupdate` takes only refs that are differentiated under `{trace.name}`, and {accessed_at(fact)} is not,"
            f" whatever is added: store with `[...] +=` and `jax.lax.stop_gradient(...)`, or make the ref an argument of"
            f" {code(trace.function)} that is differentiated"
        )
    else:
        message = (
            f"the stored value depends on what `{trace.name}` differentiates {code(trace.function)} for, but"
            f" {accessed_at(fact)} is not differentiated: store `jax.lax.stop_gradient(...)` of it, or make"
            " the ref an argument that is differentiated"
        )
    yield Finding(
        fact.site.place,
        message,
        fact,
        some(
            (trace.place, f"{code(trace.function)} is differentiated here"),
            *staged_calls(fact),
            made_here(fact.object),
        ),
    )


RULE = Rule(
    "tainted-ref-write",
    "error",
    "a differentiated value is stored into a ref that is not differentiated",
    (RefAccessed,),
    ("Exception", "TypeError"),
    check,
)
