"""A rule as a value, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jaxref.diagnostics.model import Severity
from jaxref.facts import Fact, Place
from jaxref.quick_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule holds of a fact: where, in which words, and which further places matter.

    `severity` overrides that of the rule; `certain` is false for what holds on some paths only.
    """

    place: Place
    message: str
    fact: Fact
    related: tuple[tuple[Place, str], ...] = ()
    severity: Severity | None = None
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the book.

    `check` judges one fact of the types in `facts`, whatever other facts there are.
    `raises` are the exceptions with which JAX stops there; empty where it is silent. `default` is
    false for a rule that speaks only when it is selected.
    """

    name: str
    severity: Severity
    summary: str
    facts: tuple[type[Fact], ...] = ()
    raises: tuple[str, ...] = ()
    check: Callable[..., Iterator[Finding]] | None = None
    default: bool = True
    tags: tuple[str, ...] = field(default=())
