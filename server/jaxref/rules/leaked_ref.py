"""A ref made while a function was traced is used after the trace ended."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefLeaked
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import made_here, ref_words, some


def check(fact: RefLeaked) -> Iterator[Finding]:
    """Any use of such a ref."""
    yield Finding(
        fact.site.place,
        f"{ref_words(fact.object, fact.ref)} was made while a function was traced and does not exist any more: make it"
        " outside and pass it in, or return its value",
        fact,
        some(
            (fact.kept, "it is stored outside of the traced function here")
            if fact.kept is not None
            else None,
            made_here(fact.object),
        ),
    )


RULE = Rule(
    "leaked-ref",
    "error",
    "a ref made in a traced function is used after it ended",
    (RefLeaked,),
    ("UnexpectedTracerError",),
    check,
)
