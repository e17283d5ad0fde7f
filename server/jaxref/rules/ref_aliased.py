"""A traced function gets the same ref in two ways."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import FunctionTraced
from jaxref.rules.aliasing import aliases
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, ref_words, some


def check(fact: FunctionTraced) -> Iterator[Finding]:
    """Passed twice, or passed and closed over."""
    trace = fact.trace
    if trace.kind in ("grad", "eager"):
        return
    found = aliases(fact)
    if found is None or (trace.kind == "vmap" and found.second is None):
        return
    name = ref_words(found.object, found.ref)
    if found.second is not None:
        message = (
            f"{name} is passed twice to {code(trace.function)}, which is traced by `{trace.name}`: JAX allows one"
            " argument per ref, so pass it once"
        )
        further = None
    else:
        message = (
            f"{name} is passed to {code(trace.function)}, which is traced by `{trace.name}` and closes over the same"
            " ref: use the argument inside, or do not pass it"
        )
        further = (
            (found.captured, "the function reaches the same ref by its own name here")
            if found.captured
            else None
        )
    yield Finding(
        fact.site.place,
        message,
        fact,
        some(further, made_here(found.object)),
        certain=fact.site.certain,
    )


RULE = Rule(
    "ref-aliased",
    "error",
    "a traced function gets the same ref in two ways",
    (FunctionTraced,),
    ("ValueError",),
    check,
)
