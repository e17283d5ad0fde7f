"""A ref is made from a ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import RefValue
from jaxref.facts import RefAccessed, RefMade
from jaxref.rules.freezing import staged_calls
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefMade | RefAccessed) -> Iterator[Finding]:
    """`jax.new_ref(ref)`; in staged code the reading of such a ref, where alone JAX notices it."""
    if isinstance(fact, RefAccessed):
        yield from _read(fact)
        return
    if not isinstance(fact.initial, RefValue):
        return
    staged = any(trace.staged for trace in fact.site.traces)
    yield Finding(
        fact.site.place,
        f"`jax.new_ref` takes an array, and it is given a ref: read its value, {code('ref[...]')}, to make a new ref"
        " with the same content",
        fact,
        some(),
        severity="warning" if staged else None,
    )


def _read(fact: RefAccessed) -> Iterator[Finding]:
    if not isinstance(fact.object.content, RefValue) or fact.action not in ("read", "freeze"):
        return
    if not any(trace.staged and trace.id in fact.object.traces for trace in fact.site.traces):
        return
    yield Finding(
        fact.site.place,
        f"{accessed_at(fact)} was made from a ref, and what is read from it is no array: make it from the value of"
        f" that ref, {code('ref[...]')}",
        fact,
        some(*staged_calls(fact), made_here(fact.object)),
    )


RULE = Rule(
    "ref-of-ref",
    "error",
    "a ref is made from a ref",
    (RefMade, RefAccessed),
    ("AssertionError", "TypeError", "AttributeError"),
    check,
)
