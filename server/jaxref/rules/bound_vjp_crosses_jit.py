"""A bound VJP enters or leaves a traced function."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import FunctionTraced
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some


def check(fact: FunctionTraced) -> Iterator[Finding]:
    """Among the arguments or in the result of a staged function."""
    trace = fact.trace
    if trace.kind in ("grad", "vmap", "custom_vjp", "eager"):
        return
    if fact.entering:
        yield Finding(
            fact.site.place,
            f"a bound VJP cannot be an argument of {code(trace.function)}, which is traced by `{trace.name}`: pass the"
            " unbound VJP and bind it inside, or close over the bound one",
            fact,
            some((fact.entering[0].place, "it is bound here")),
        )
    elif fact.leaving_bound:
        yield Finding(
            fact.returns or fact.site.place,
            f"{code(trace.function)} is traced by `{trace.name}` and cannot return a bound VJP: return the unbound one,"
            " and bind it outside",
            fact,
            some(
                (fact.site.place, "JAX raises at this call") if fact.returns is not None else None
            ),
        )


RULE = Rule(
    "bound-vjp-crosses-jit",
    "error",
    "a bound VJP enters or leaves a traced function",
    (FunctionTraced,),
    ("TypeError",),
    check,
)
