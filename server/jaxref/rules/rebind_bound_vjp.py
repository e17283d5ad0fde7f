"""`with_refs` on a VJP that is bound already."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefsBound
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some, vjp_made_here


def check(fact: RefsBound) -> Iterator[Finding]:
    """A second `with_refs`."""
    if fact.earlier is None:
        return
    yield Finding(
        fact.site.place,
        f"this VJP of {code(fact.vjp.function)} is bound already, and a bound VJP has no `with_refs`: keep the result"
        " of `jax.vjp` under its own name and bind that one again",
        fact,
        some((fact.earlier.place, "it is bound here"), vjp_made_here(fact.vjp)),
    )


RULE = Rule(
    "rebind-bound-vjp",
    "error",
    "`with_refs` is called on a VJP that is bound already",
    (RefsBound,),
    ("AttributeError",),
    check,
)
