"""`DontWant()` for a ref of which the differentiated function reads a part."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import VjpApplied
from jaxref.rules.dont_want_written_ref import skipped_refs
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import leaf_words, made_here, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """The first such ref of inexact numbers."""
    for leaf, _ in skipped_refs(fact):
        if not leaf.indexed or leaf.written or leaf.scanned:
            continue
        if any(
            not (ref.dtype or "").startswith(("float", "bfloat", "complex")) for ref, _ in leaf.refs
        ):
            continue
        yield Finding(
            fact.site.place,
            f"`DontWant()` stands for {leaf_words(leaf, fact.vjp, fact.vjp.function)}, of which"
            f" `{fact.vjp.function}` reads a part, and JAX cannot skip the gradient of that: bind a gradient ref for"
            " it, or read the whole, `ref[...][i]`",
            fact,
            some(vjp_made_here(fact.vjp), made_here(leaf.refs[0][1])),
            certain=leaf.certain,
        )
        return


RULE = Rule(
    "dont-want-indexed-ref",
    "error",
    "`DontWant()` stands for a ref of which the differentiated function reads a part",
    (VjpApplied,),
    ("AttributeError",),
    check,
)
