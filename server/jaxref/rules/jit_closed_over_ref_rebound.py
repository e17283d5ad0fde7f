"""A name that a jitted function closed over now stands for another ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import CapturedRefReplaced
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, some


def check(fact: CapturedRefReplaced) -> Iterator[Finding]:
    """The jitted function goes on with the ref it was traced with."""
    yield Finding(
        fact.site.place,
        f"{code(fact.trace.function)} was jitted with the ref that {code(fact.name)} stood for and keeps using that one:"
        f" overwrite its content, {code(fact.name + '[...] = ...')}, or pass the ref as an argument",
        fact,
        some((fact.trace.place, "it was traced here"), made_here(fact.object)),
    )


RULE = Rule(
    "jit-closed-over-ref-rebound",
    "warning",
    "a name that a jitted function closed over now stands for another ref",
    (CapturedRefReplaced,),
    check=check,
)
