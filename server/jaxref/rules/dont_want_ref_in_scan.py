"""`DontWant()` for a ref that is read inside a scan or loop."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import VjpApplied
from jaxref.rules.dont_want_written_ref import skipped_refs
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import leaf_words, made_here, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """The first such ref."""
    for leaf, _ in skipped_refs(fact):
        if leaf.scanned and not leaf.written:
            yield Finding(
                fact.site.place,
                f"`DontWant()` stands for {leaf_words(leaf, fact.vjp, fact.vjp.function)}, which"
                f" `{fact.vjp.function}` reads inside a loop of JAX, and JAX cannot skip its gradient there: bind a"
                " gradient ref for it, or read the ref before the loop",
                fact,
                some(vjp_made_here(fact.vjp), made_here(leaf.refs[0][1])),
                certain=leaf.certain,
            )
            return


RULE = Rule(
    "dont-want-ref-in-scan",
    "error",
    "`DontWant()` stands for a ref that is read inside `lax.scan`",
    (VjpApplied,),
    ("ValueError",),
    check,
)
