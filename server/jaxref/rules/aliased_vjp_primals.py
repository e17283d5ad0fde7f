"""A function is differentiated with respect to a ref that it reaches in two ways."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import FunctionTraced
from jaxref.rules.aliasing import aliases
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, ref_words, some


def check(fact: FunctionTraced) -> Iterator[Finding]:
    """`jax.vjp(f, r, r)`, or `jax.vjp(f, r)` with `f` closing over `r`: gradients are incomplete."""
    if fact.trace.kind != "grad":
        return
    found = aliases(fact)
    if found is None:
        return
    way = "is passed twice to" if found.second is not None else "is passed to and closed over by"
    yield Finding(
        fact.site.place,
        f"{ref_words(found.object, found.ref)} {way} {code(fact.trace.function)}: the gradient of each way in is"
        " incomplete, and JAX does not say so, so use it in one way",
        fact,
        some(
            (found.captured, "it is closed over here") if found.captured is not None else None,
            made_here(found.object),
        ),
    )


RULE = Rule(
    "aliased-vjp-primals",
    "warning",
    "a function is differentiated with respect to a ref that it reaches in two ways",
    (FunctionTraced,),
    check=check,
)
