"""What a bound VJP returns in place of a gradient is used as one."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import Entry, PlaceholderUsed
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code


def check(fact: PlaceholderUsed) -> Iterator[Finding]:
    """Uses of `GradRef()` and `DidntWant()`: errors, or silently nothing for tree functions."""
    kind = fact.sentinel.kind
    origin = fact.sentinel.origin
    where = ""
    if isinstance(origin, Entry) and origin.text and kind == "GradRef":
        where = f", it is in {code(origin.text)}"
    instead = (
        "read it there" if kind == "GradRef" else "give `GradValue()` or a ref to have it computed"
    )
    why = (
        f"the gradient was accumulated into the bound ref{where}"
        if kind == "GradRef"
        else "the gradient was not computed, `DontWant()` was given for it"
    )
    loss = " and drops it silently" if fact.silent else ""
    yield Finding(
        fact.site.place,
        f"this is the placeholder {code(kind + '()')} and no gradient, but {fact.how} takes it for one{loss}: {why}, so"
        f" {instead}",
        fact,
        severity="warning" if fact.silent else None,
    )


RULE = Rule(
    "placeholder-as-gradient",
    "error",
    "a placeholder returned by a bound VJP is used as a gradient",
    (PlaceholderUsed,),
    ("TypeError", "AttributeError"),
    check,
)
