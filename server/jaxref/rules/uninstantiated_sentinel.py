"""The class `DontWant` stands where an instance is meant."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Sentinel
from jaxref.facts import RefsBound
from jaxref.rules.entries import pairs
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, leaf_words, some, vjp_made_here


def check(fact: RefsBound) -> Iterator[Finding]:
    """A sentinel class for an array leaf: JAX takes it for `GradValue()`."""
    for leaf, entry in pairs(fact):
        value = entry.value
        if leaf.is_ref or not isinstance(value, Sentinel) or value.instance:
            continue
        kind = value.kind
        instead = (
            code(kind + "()")
            if kind in ("DontWant", "GradValue")
            else "`GradValue()`, or give a ref"
        )
        meant = (
            "the gradient is computed and returned all the same"
            if kind == "DontWant"
            else "it works by accident"
        )
        yield Finding(
            fact.site.place,
            f"{code(kind)} is the class, which JAX takes for `GradValue()`: {meant} for"
            f" {leaf_words(leaf, fact.vjp, fact.vjp.function)}, so write {instead}",
            fact,
            some(vjp_made_here(fact.vjp)),
        )
        return


RULE = Rule(
    "uninstantiated-sentinel",
    "warning",
    "a sentinel class is given to `with_refs` instead of an instance",
    (RefsBound,),
    check=check,
)
