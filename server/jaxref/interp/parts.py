"""What a run found, part by part: the top level of the module, and each function that nobody called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from jaxref.domain.values import Function, RefValue, Value, Vjp
from jaxref.facts import DerivativeTaken, Fact, FunctionTraced, RefAccessed, RefsBound, VjpApplied
from jaxref.interp.machine import Module
from jaxref.quick_dataclasses import dataclass, field
from jaxref.source.text import Span
from jaxref.source.walking import children, first_line, last_line, statements_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Position = tuple[int, int]
"""A node's line, from 1, and column, from 0 in bytes, as `ast` has them."""

Key = tuple[str, int, int]
"""The type of an expression's node, and its span."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Ties:
    """What an entry has to do with others.

    `module`: it uses a ref, a VJP or a transformed function that was there before. `traced` are the
    kinds and names of the functions that it traced with refs among their arguments.
    """

    module: bool
    traced: frozenset[tuple[str, str]]


@dataclass(slots=True, eq=False)
class Part:
    """What the module came to, or an entry, with the functions that it defines and nobody calls.

    `function` is the one that was entered, None for the module. `functions` are those of the own
    module that were entered on the way. `seen` holds the value of each telling expression when it was
    first evaluated, and its heap object. Of an entry that was taken over there are no facts and values
    before it is made, but `keys`: those of `seen`, each with the offset that their spans count from.
    """

    function: Function | None = None
    functions: frozenset[Position] = frozenset()
    facts: list[Fact] = field(default_factory=list)
    seen: dict[Key, tuple[Value, Any]] = field(default_factory=dict)
    keys: Sequence[tuple[int, Collection[Key]]] = ()
    ties: Ties | None = None
    is_made: bool = True

    def saw(self, key: Key) -> bool:
        """Whether it saw the value of an expression, made or not."""
        if self.is_made:
            return key in self.seen
        kind, start, end = key
        return any((kind, start - first, end - first) in keys for first, keys in self.keys)

    def narrowest(self, offset: int) -> Key | None:
        """The key of the narrowest telling expression at an offset, the first of them, made or not."""
        best: Key | None = None
        for first, keys in ((0, self.seen),) if self.is_made else self.keys:
            at = offset - first
            for kind, start, end in keys:
                if start <= at <= end:
                    key = kind, start + first, end + first
                    if best is None or width_of(key) < width_of(best):
                        best = key
        return best


def width_of(key: Key) -> tuple[int, int]:
    """What orders expressions that overlap: the narrowest first, then by place."""
    return key[2] - key[1], key[1]


class Parts:
    """The parts of a run in their order, the module's first. `make` makes one that was taken over.

    What is below `first_id` was made by the module. All parts that are returned are made.
    """

    def __init__(
        self, module: Module, parts: Sequence[Part], first_id: int, make: Callable[[Part], None]
    ) -> None:
        self.first_id = first_id
        self.parts = parts
        self._module = module
        self.tree = module.tree
        self._make = make
        self._functions: dict[tuple[int, int], tuple[frozenset[Position], bool]] = {}
        self._entering: dict[frozenset[Position], list[Part]] = {}

    def all(self) -> list[Part]:
        """Every part."""
        return self._made(self.parts)

    def within(self, span: Span) -> list[Part]:
        """The parts that may have evaluated something on the lines of `span`."""
        return self._made(self._near(span))

    def _near(self, span: Span) -> list[Part]:
        """Those, made or not."""
        functions, _ = self._code(span)
        near = self._entering.get(functions)
        if near is None:
            near = self._entering[functions] = [
                part
                for part in self.parts
                if part.function is None or not part.functions.isdisjoint(functions)
            ]
        return near

    def telling(self, offset: int) -> tuple[Part, Key] | None:
        """The narrowest telling expression at an offset, with the part that evaluated it first."""
        found: tuple[Part, Key] | None = None
        for part in self._near(Span(offset, offset)):
            key = part.narrowest(offset)
            if key is not None and (found is None or width_of(key) < width_of(found[1])):
                found = part, key
        if found is not None:
            self._made([found[0]])
        return found

    def seeing(self, key: Key) -> Part | None:
        """The part that was the first to evaluate a telling expression."""
        near = self._near(Span(key[1], key[1]))
        return next(iter(self._made([part for part in near if part.saw(key)][:1])), None)

    def about(self, span: Span) -> list[Part]:
        """Those, and the parts that may use what the module made on the lines of `span`."""
        functions, by_module = self._code(span)
        return self._made(
            part
            for part in self.parts
            if part.function is None
            or not part.functions.isdisjoint(functions)
            or (by_module and self._shares_module(part))
        )

    def with_ref(self, ref: int, part: Part) -> list[Part]:
        """The parts that may have to do with a ref that `part` saw."""
        if ref >= self.first_id:
            return [part]
        return self._made(part for part in self.parts if self._shares_module(part))

    def tracing(self, kind: str, function: str) -> list[Part]:
        """The parts that may have traced a function with refs among its arguments."""
        found = (kind, function)
        return self._made(
            part for part in self.parts if part.function is None or found in self._ties(part).traced
        )

    def akin(self, part: Part) -> list[Part]:
        """The module, and the parts that have functions or what the module made in common with
        `part`, or with such a part."""
        left = [one for one in self.parts if one is not part]
        functions, by_module = set(part.functions), self._shares_module(part)
        chosen = {part}
        grown = True
        while grown:
            grown = False
            for one in left:
                shares = self._shares_module(one)
                if (by_module and shares) or not one.functions.isdisjoint(functions):
                    functions |= one.functions
                    by_module = by_module or shares
                    chosen.add(one)
                    grown = True
            left = [one for one in left if one not in chosen]
        return self._made(p for p in self.parts if p in chosen or p.function is None)

    def _shares_module(self, part: Part) -> bool:
        return part.function is None or self._ties(part).module

    def _made(self, parts: Iterable[Part]) -> list[Part]:
        found = list(parts)
        for part in found:
            if not part.is_made:
                self._make(part)
        return found

    def _ties(self, part: Part) -> Ties:
        if part.ties is None:
            part.ties = ties_of(part, self.first_id)
        return part.ties

    def _code(self, span: Span) -> tuple[frozenset[Position], bool]:
        """The functions on the lines of `span`, and whether the module executed something there."""
        index = self._module.text.line_index
        lines = index(span.start) + 1, index(span.end) + 1
        found = self._functions.get(lines)
        if found is None:
            found = self._functions[lines] = self._looked_up(*lines)
        return found

    def _looked_up(self, first: int, last: int) -> tuple[frozenset[Position], bool]:
        pending: list[ast.AST] = [*statements_on(self._module.tree, first, last)]
        entered = self.parts[0].functions
        by_module = any(not isinstance(node, _FUNCTIONS) for node in pending)
        functions: set[Position] = set()
        while pending:
            node = pending.pop()
            if isinstance(node, _FUNCTIONS):
                functions.add((node.lineno, node.col_offset))
            for child in children(node):
                line = getattr(child, "lineno", None)
                if line is None or (
                    first_line(child) <= last and first <= last_line(child)  # type: ignore[arg-type]
                ):
                    pending.append(child)
        return frozenset(functions), by_module or not functions.isdisjoint(entered)


class Seen(Mapping[Key, "tuple[Value, Any]"]):
    """The values that telling expressions had when they were first evaluated; see `Part.seen`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __getitem__(self, key: Key) -> tuple[Value, Any]:
        part = self._parts.seeing(key)
        if part is None:
            raise KeyError(key)
        return part.seen[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(dict.fromkeys(key for part in self._parts.all() for key in part.seen))

    def __len__(self) -> int:
        return len(list(iter(self)))


def ties_of(part: Part, first_id: int) -> Ties:
    """What an entry has to do with others; what is below `first_id` was made by the module."""
    by_module = any(
        isinstance(value, (RefValue, Vjp)) and value.id < first_id
        for value, _ in part.seen.values()
    ) or any(_is_of_module(fact, first_id) for fact in part.facts)
    traced = {
        (fact.trace.kind, fact.trace.function)
        for fact in part.facts
        if isinstance(fact, FunctionTraced) and fact.passed
    }
    return Ties(by_module, frozenset(traced))


def _is_of_module(fact: Fact, first_id: int) -> bool:
    """Whether a fact speaks of a ref, a VJP or a transformed function that the module made."""
    match fact:
        case RefAccessed():
            return fact.ref.id < first_id
        case RefsBound() | VjpApplied():
            bound = fact.binding
            if fact.vjp.site.entered_from_module:
                return True
            return bound is not None and (
                bound.site.entered_from_module
                or any(ref.id < first_id for entry in bound.entries for ref, _ in entry.refs)
            )
        case FunctionTraced():
            refs = [ref for ref, _, _ in (*fact.passed, *fact.captured)]
            return any(ref.id < first_id for ref in refs)
        case DerivativeTaken():
            transform, around = fact.transform_call, fact.site.scope_node
            return transform is None or not _is_inside(transform, around)
    return False


def _is_inside(node: ast.AST, around: ast.AST | None) -> bool:
    first, last = getattr(around, "lineno", None), getattr(around, "end_lineno", None)
    line = getattr(node, "lineno", None)
    return None not in (first, last, line) and first <= line <= last  # type: ignore[operator]
