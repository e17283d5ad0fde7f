"""A ref is made from a ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import RefValue
from jaxref.facts import RefMade
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some


def check(fact: RefMade) -> Iterator[Finding]:
    """`jax.new_ref(ref)`."""
    if not isinstance(fact.initial, RefValue):
        return
    yield Finding(
        fact.site.place,
        f"`jax.new_ref` takes an array, and it is given a ref: read its value, {code('ref[...]')}, to make a new ref"
        " with the same content",
        fact,
        some(),
    )


RULE = Rule(
    "ref-of-ref", "error", "a ref is made from a ref", (RefMade,), ("AssertionError",), check
)
