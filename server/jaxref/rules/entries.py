"""What `with_refs` entries say, leaf by leaf, once their structure is that of the primals."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.trees import Mismatch, mismatch
from jaxref.facts import Entry, PrimalLeaf, RefsBound


def structure_problem(fact: RefsBound) -> Mismatch | None:
    """Where the entries' structure differs from the primals', if it certainly does."""
    if fact.binding.empty or fact.earlier is not None:
        return None
    return mismatch(fact.vjp.treedef, fact.binding.treedef)


def pairs(fact: RefsBound) -> Iterator[tuple[PrimalLeaf, Entry]]:
    """Primal leaves with their entries; nothing where the structures are not certainly the same."""
    if fact.binding.empty or fact.earlier is not None or fact.keywords:
        return
    primals, entries = fact.vjp.treedef, fact.binding.treedef
    if primals.known() and entries.known():
        if mismatch(primals, entries) is None:
            yield from zip(fact.vjp.leaves, fact.binding.entries, strict=True)
        return
    if (
        not primals.children
        or not entries.children
        or len(primals.children) != len(entries.children)
    ):
        return
    # Unknown parts end the certainty for their own argument only.
    for index, (left, right) in enumerate(zip(primals.children, entries.children, strict=True)):
        if left.known() and right.known() and mismatch(left, right) is None:
            prefix = f"args[{index}]"
            leaves = [leaf for leaf in fact.vjp.leaves if _under(leaf.path, prefix)]
            given = [entry for entry in fact.binding.entries if _under(entry.path, prefix)]
            if len(leaves) == len(given):
                yield from zip(leaves, given, strict=True)


def _under(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith((prefix + "[", prefix + "."))
