"""A ref is given to jax.debug.print outside of staged code."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, misused_at, simple_words, some


def check(fact: RefMisused) -> Iterator[Finding]:
    """Printing a ref eagerly."""
    if fact.how != "print":
        return
    read = code(f"{simple_words(fact.expression) or fact.object.name or 'ref'}[...]")
    yield Finding(
        fact.site.place,
        f"`jax.debug.print` cannot print {misused_at(fact)} outside of jitted code: print {read}",
        fact,
        some(made_here(fact.object)),
    )


RULE = Rule(
    "ref-in-debug-print",
    "error",
    "`jax.debug.print` is given a ref outside of jitted code",
    (RefMisused,),
    ("TypeError",),
    check,
)
