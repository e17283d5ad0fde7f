"""A ref is used after `jax.freeze` or `jax.free_ref` in staged code."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefAccessed
from jaxref.rules.freezing import foreign_stage, staged_calls, staged_home
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some

_WORDS = {"read": "read", "swap": "swapped", "freeze": "frozen again", "free": "freed"}


def check(fact: RefAccessed) -> Iterator[Finding]:
    """Reads, swaps and second ends. Writes are accepted by JAX (and lost)."""
    if fact.object.frozen is False or fact.action not in _WORDS:
        return
    if fact.object.frozen_unused or fact.unused:
        # JAX drops what nothing depends on before it looks.
        return
    trace = staged_home(fact)
    if trace is None or (foreign_stage(fact) is not None and fact.action in ("freeze", "free")):
        return
    yield Finding(
        fact.site.place,
        f"{accessed_at(fact)} is {_WORDS[fact.action]} after it was frozen or freed, which"
        f" {code(trace.function)} must not do under `{trace.name}`: use the value that `jax.freeze` returned",
        fact,
        some(
            (fact.object.frozen_at, "it is frozen here")
            if fact.object.frozen_at is not None
            else None,
            *staged_calls(fact),
            made_here(fact.object),
        ),
        certain=fact.object.frozen is True,
    )


RULE = Rule(
    "use-after-freeze",
    "error",
    "a ref is used after it was frozen or freed in traced code",
    (RefAccessed,),
    ("ValueError", "KeyError", "AttributeError"),
    check,
)
