"""A function under vmap writes a ref that it is not mapped over."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefAccessed
from jaxref.rules.freezing import staged_calls
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """A write, or a gradient accumulated, under `jax.vmap`."""
    if fact.unbatched is None:
        return
    done = "accumulates a gradient into" if fact.action == "accumulate" else "writes"
    yield Finding(
        fact.site.place,
        f"{code(fact.unbatched.function)} runs under `{fact.unbatched.name}` and {done}"
        f" {accessed_at(fact)}, which is not mapped over: pass a ref with a batch axis as a mapped"
        " argument, or write after the map",
        fact,
        some(
            (fact.unbatched.place, "the function is mapped here"),
            *staged_calls(fact),
            made_here(fact.object),
        ),
    )


RULE = Rule(
    "vmap-closes-over-ref",
    "error",
    "a function under `jax.vmap` writes a ref that it is not mapped over",
    (RefAccessed,),
    ("Exception",),
    check,
)
