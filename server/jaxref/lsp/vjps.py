"""The calls on VJPs in a module, for the aids that speak of their arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxref.facts import Fact, PrimalLeaf, RefsBound, VjpApplied, VjpInfo
from jaxref.quick_dataclasses import dataclass
from jaxref.rules.wording import leaf_type
from jaxref.source.parsing import span_of
from jaxref.source.text import Span, Text


@dataclass(frozen=True, slots=True)
class Primal:
    """One primal of a VJP: how the user wrote it, its leaves, and a word on its type."""

    name: str
    leaves: tuple[PrimalLeaf, ...]

    @property
    def refs(self) -> tuple[PrimalLeaf, ...]:
        """The leaves that are refs, at least on some paths."""
        return tuple(leaf for leaf in self.leaves if leaf.is_ref)

    @property
    def kind(self) -> str | None:
        """The type as JAX prints it; for a tree the number of its leaves; None when not known."""
        if len(self.leaves) == 1 and self.leaves[0].path.count("[") == 1:
            return leaf_type(self.leaves[0])
        return f"tree of {len(self.leaves)}" if self.leaves else None


@dataclass(frozen=True, slots=True)
class VjpCall:
    """A call of `with_refs`, or one that applies a VJP.

    `arguments` are the spans of its positional arguments, None where one of them is starred;
    `brackets` reaches from behind the opening bracket to the closing one.
    """

    vjp: VjpInfo
    binds: bool
    arguments: tuple[Span, ...] | None
    brackets: Span


def vjp_calls(facts: Iterable[Fact], path: str, text: Text) -> list[VjpCall]:
    """The calls in the file `path` that `facts` tell of, by place; `text` is that of its module.

    One that is reached with different VJPs is left out.
    """
    found: dict[Span, VjpCall | None] = {}
    for fact in facts:
        if not isinstance(fact, (RefsBound, VjpApplied)):
            continue
        node = fact.site.node
        if fact.site.place.path != path or not isinstance(node, ast.Call):
            continue
        span = span_of(node, text)
        call = VjpCall(
            fact.vjp,
            isinstance(fact, RefsBound),
            None
            if any(isinstance(one, ast.Starred) for one in node.args)
            else tuple(span_of(one, text) for one in node.args),
            Span(_opening(node, text) + 1, max(span.end - 1, 0)),
        )
        known = found.setdefault(span, call)
        if known is not None and known.vjp.arg_texts != call.vjp.arg_texts:
            found[span] = None
    return [call for _, call in sorted(found.items()) if call is not None]


def vjps_made(facts: Iterable[Fact], path: str) -> Iterator[VjpInfo]:
    """The VJPs of which `facts` tell, once for each call in the file `path`."""
    seen: set[Span] = set()
    for fact in facts:
        if isinstance(fact, (RefsBound, VjpApplied)):
            place = fact.vjp.site.place
            if place.path == path and place.span not in seen:
                seen.add(place.span)
                yield fact.vjp


def primals(vjp: VjpInfo) -> tuple[Primal, ...]:
    """The primals in their order."""
    return tuple(
        Primal(name, tuple(leaf for leaf in vjp.leaves if leaf.position == position))
        for position, name in enumerate(vjp.arg_texts)
    )


def _opening(node: ast.Call, text: Text) -> int:
    """The offset of the call's opening bracket."""
    return text.content.find("(", span_of(node.func, text).end)
