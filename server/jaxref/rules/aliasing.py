"""The same ref reaching a traced function in two ways."""

from __future__ import annotations

from jaxref.domain.heap import RefObject
from jaxref.domain.values import RefValue
from jaxref.facts import FunctionTraced, Place
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Alias:
    """A ref, the user's words for its first and second way in, and where it is used when captured."""

    ref: RefValue
    object: RefObject
    first: str
    second: str | None
    captured: Place | None


def aliases(fact: FunctionTraced) -> Alias | None:
    """The first ref that was passed twice, or passed and closed over."""
    seen: dict[int, str] = {}
    for ref, found, words in fact.passed:
        if found.many:
            continue
        if ref.id in seen:
            return Alias(ref, found, seen[ref.id], words, None)
        seen[ref.id] = words
    for ref, found, place in fact.captured:
        if ref.id in seen:
            return Alias(ref, found, seen[ref.id], None, place)
    return None
