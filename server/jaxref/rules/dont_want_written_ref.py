"""`DontWant()` for a ref that the differentiated function writes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Sentinel
from jaxref.facts import Entry, PrimalLeaf, VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import leaf_words, made_here, some, vjp_made_here


def skipped_refs(fact: VjpApplied) -> Iterator[tuple[PrimalLeaf, Entry]]:
    """Ref-typed leaves that are bound to `DontWant()`."""
    if fact.binding is None or fact.binding.treedef != fact.vjp.treedef:
        return
    for leaf, entry in zip(fact.vjp.leaves, fact.binding.entries, strict=False):
        if leaf.is_ref and isinstance(entry.value, Sentinel):
            if entry.value.instance and entry.value.kind == "DontWant":
                yield leaf, entry


def check(fact: VjpApplied) -> Iterator[Finding]:
    """The first written ref that is not wanted."""
    for leaf, _ in skipped_refs(fact):
        if leaf.written and all(found.kind != "no_grad_no_remat" for _, found in leaf.refs):
            assert fact.binding is not None
            yield Finding(
                fact.site.place,
                f"`DontWant()` stands for {leaf_words(leaf, fact.vjp, fact.vjp.function)}, but"
                f" `{fact.vjp.function}` writes that ref and JAX cannot skip its gradient: bind a gradient ref for it,"
                " or let the function close over the ref",
                fact,
                some(
                    (fact.binding.place, "the entries are given here"),
                    vjp_made_here(fact.vjp),
                    made_here(leaf.refs[0][1]),
                ),
                certain=leaf.certain,
            )
            return


RULE = Rule(
    "dont-want-written-ref",
    "error",
    "`DontWant()` stands for a ref that the differentiated function writes",
    (VjpApplied,),
    ("AttributeError", "ValueError"),
    check,
)
