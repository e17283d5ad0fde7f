"""A ref of whole numbers among the primals that the differentiated function writes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Sentinel
from jaxref.facts import VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import leaf_words, made_here, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """A written int ref that is bound: JAX accumulates float0 into a gradient ref, or finds none."""
    if fact.binding is None or fact.binding.treedef != fact.vjp.treedef:
        return
    for leaf, entry in zip(fact.vjp.leaves, fact.binding.entries, strict=False):
        skipped = isinstance(entry.value, Sentinel) and entry.value.kind == "DontWant"
        if not (leaf.written and leaf.refs and (entry.refs or skipped)):
            continue
        if all(
            (ref.dtype or "").startswith(("int", "uint")) and found.kind is None
            for ref, found in leaf.refs
        ):
            yield Finding(
                fact.site.place,
                f"{leaf_words(leaf, fact.vjp, fact.vjp.function)} holds whole numbers and `{fact.vjp.function}` writes"
                " it: JAX cannot accumulate its gradient, so let the function close over the ref instead",
                fact,
                some(vjp_made_here(fact.vjp), made_here(leaf.refs[0][1])),
                certain=leaf.certain,
            )
            return


RULE = Rule(
    "int-ref-written",
    "error",
    "a ref of whole numbers is differentiated and written",
    (VjpApplied,),
    ("ValueError", "AttributeError"),
    check,
)
