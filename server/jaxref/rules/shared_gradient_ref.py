"""One gradient ref is bound to two different primals."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import Entry, PrimalLeaf, RefsBound
from jaxref.rules.entries import pairs
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import entry_words, leaf_words, made_here, some, vjp_made_here


def check(fact: RefsBound) -> Iterator[Finding]:
    """The same ref for leaves that are not the same value: their gradients are summed."""
    seen: dict[int, tuple[PrimalLeaf, Entry]] = {}
    for leaf, entry in pairs(fact):
        if len(entry.refs) != 1 or entry.refs[0][1].many:
            continue
        key = entry.refs[0][0].id
        earlier = seen.setdefault(key, (leaf, entry))
        if earlier[0] is leaf or _same_primal(earlier[0], leaf):
            continue
        yield Finding(
            fact.site.place,
            f"one ref, {entry_words(entry)}, is bound to {leaf_words(earlier[0], fact.vjp, fact.vjp.function)} and to"
            f" {leaf_words(leaf, fact.vjp, fact.vjp.function)}: their gradients are summed, so bind a ref each",
            fact,
            some(vjp_made_here(fact.vjp), made_here(entry.refs[0][1])),
        )
        return


def _same_primal(left: PrimalLeaf, right: PrimalLeaf) -> bool:
    """Tied parameters: the sum of both gradients is the gradient."""
    if left.text and left.text == right.text:
        return True
    return bool({ref.id for ref, _ in left.refs} & {ref.id for ref, _ in right.refs})


RULE = Rule(
    "shared-gradient-ref",
    "warning",
    "one gradient ref is bound to two different primals",
    (RefsBound,),
    check=check,
)
