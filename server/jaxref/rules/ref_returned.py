"""A function that JAX stages returns a ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import FunctionTraced, Place
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, ref_words, some


def check(fact: FunctionTraced) -> Iterator[Finding]:
    """Refs in the result of staged functions and of custom rules, also inside a returned VJP."""
    trace = fact.trace
    if trace.kind in ("grad", "vmap", "eager"):
        return
    at = (
        fact.returns
        if fact.returns is not None and fact.returns.path == fact.site.place.path
        else None
    )
    place: Place = at or fact.site.place
    call = (
        fact.site.place,
        f"{code(trace.function)} is traced by `{trace.name}` here, and JAX raises",
    )
    if fact.returned:
        ref, found = fact.returned[0]
        yield Finding(
            place,
            f"{code(trace.function)} is traced by `{trace.name}` and must not return a ref, but it returns"
            f" {ref_words(found, ref) if found.name else 'a ref'}: return the value read, `[...]`, or `jax.freeze` it",
            fact,
            some(call if at is not None else None, made_here(found)),
        )
        return
    for info in fact.leaving:
        if info.residual_refs:
            yield Finding(
                place,
                f"the VJP of {code(info.function)} that {code(trace.function)} returns keeps a ref among its"
                f" residuals, and a function traced by `{trace.name}` must not return one: apply the VJP inside",
                fact,
                some(call if at is not None else None),
            )
            return


RULE = Rule(
    "ref-returned",
    "error",
    "a ref is returned from a function that JAX traces",
    (FunctionTraced,),
    ("ValueError",),
    check,
)
