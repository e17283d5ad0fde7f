"""A gradient ref with content is bound for a ref that the function writes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.heap import RefObject
from jaxref.domain.values import Array, Const
from jaxref.facts import VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import entry_words, leaf_words, made_here, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """The content on entry is taken for the cotangent of the ref's final value."""
    if fact.binding is None or fact.binding.treedef != fact.vjp.treedef:
        return
    for leaf, entry in zip(fact.vjp.leaves, fact.binding.entries, strict=False):
        if not leaf.written or len(entry.refs) != 1 or not leaf.certain:
            continue
        found = fact.content_of(entry.refs[0][0].id) or entry.refs[0][1]
        if not _has_content(found):
            continue
        yield Finding(
            fact.site.place,
            f"{entry_words(entry)} is not empty, and `{fact.vjp.function}` writes"
            f" {leaf_words(leaf, fact.vjp, fact.vjp.function)}: JAX takes what the gradient ref holds for the cotangent of"
            " the final value and does not just add to it, so bind a fresh ref",
            fact,
            some(vjp_made_here(fact.vjp), made_here(found)),
        )
        return


def _has_content(found: RefObject) -> bool:
    if found.accumulated:
        return True
    content = found.content
    if not found.initial:
        return False
    return isinstance(content, (Array, Const)) and found.nonzero


RULE = Rule(
    "gradient-ref-not-fresh",
    "warning",
    "a gradient ref with content is bound for a ref that the function writes",
    (VjpApplied,),
    check=check,
)
