"""What an analysis takes over from that of the text before an edit: entries that come to the same again.

A function that nobody called is entered with the heap that the top level left behind, whatever else was
entered (`interp/run.py`). What that comes to rests on the statements of the top level that it can reach
by name, on those that changed what it reaches, on other files and on the settings. The top level is
executed at each analysis. An entry is taken over where all else is as it was:

- No statement that was edited, or that may come to something else because it names what was, is named
  in the entry's own statement, which has no word either that is of interest now and was not, or the
  other way round. Words count, not the interpreter's look-ups: there are more of them.
- No such statement did more than binding its names: it changed no object that was there before.
- The entry stayed clear of all budgets, asked type inference nothing, and failed in nothing.

Where any doubt is left all entries are made anew.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from jaxref.interp.machine import (
    MAX_CALL_STEPS,
    MAX_FILE_STEPS,
    MAX_FOREIGN_STEPS,
    MAX_IMPORT_STEPS,
    Machine,
)
from jaxref.interp.parts import Key, Part, Parts, Position, Ties, ties_of
from jaxref.interp.run import COUNTERS, unread_bindings
from jaxref.quick_dataclasses import dataclass, replace
from jaxref.resolve.files import can_change_unseen, stamp_of
from jaxref.source.statements import Statement, statements_of
from jaxref.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jaxref.domain.values import Function
    from jaxref.facts import Place
    from jaxref.judging import Judged
    from jaxref.resolve.resolver import Resolver
    from jaxref.settings import Settings
    from jaxref.source.parsing import Parsed


@dataclass(frozen=True, slots=True)
class _Spent:
    """Steps that were taken: all, in functions of other modules, in importing them."""

    all: int
    foreign: int
    importing: int

    def plus(self, more: _Spent) -> _Spent:
        """What was spent when `more` was, too."""
        return _Spent(
            self.all + more.all, self.foreign + more.foreign, self.importing + more.importing
        )

    def since(self, first: _Spent) -> _Spent:
        """What was spent since no more than `first` was."""
        return _Spent(
            self.all - first.all, self.foreign - first.foreign, self.importing - first.importing
        )

    @property
    def is_affordable(self) -> bool:
        """Whether no budget of the file got short by then."""
        return (
            self.all <= MAX_FILE_STEPS
            and self.foreign <= MAX_FOREIGN_STEPS - MAX_CALL_STEPS
            and self.importing <= MAX_IMPORT_STEPS
        )


@dataclass(frozen=True, slots=True)
class _Entry:
    """What entering one function came to. `functions` are those of the own module that it entered,
    `keys` those of the values that it saw, by the start of their statement, from which they count."""

    function: Position
    functions: frozenset[Position]
    spent: _Spent
    ties: Ties
    keys: tuple[tuple[int, tuple[Key, ...]], ...]
    judged: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a later analysis may take over: of one text, under some settings, with some other files.

    `changing` tells those of the `statements` that changed what was there before, `entered` are the
    functions that they entered, `interesting` the words by which functions were judged worth entering.
    `texts` are those of the modules that were read.
    """

    path: str
    settings: Settings
    surroundings: tuple[object, ...]
    stamps: Mapping[str, object]
    missing: frozenset[str]
    texts: Mapping[str, Text]
    statements: tuple[Statement, ...]
    interesting: frozenset[str]
    changing: tuple[bool, ...]
    entered: frozenset[Position]
    entries: tuple[_Entry, ...]
    next_id: int


class Reuser:
    """Takes entries over from `before`, and keeps those of its run for the next."""

    def __init__(
        self,
        path: str,
        text: Text,
        parsed: Parsed,
        resolver: Resolver,
        settings: Settings,
        before: Kept | None = None,
    ) -> None:
        self._path = path
        self._parsed = parsed
        self._resolver = resolver
        self._settings = settings
        self._text = text
        self._known = before.statements if before is not None else ()
        self._before = before if before is not None and self._fits(before) else None
        self._globals: dict[str, object] = {}
        self._interesting: frozenset[str] = frozenset()
        self._changing: list[bool] = []
        self._is_sound = True
        self._mark = 0
        self._spent = _Spent(0, 0, 0)
        self._doubts: tuple[int, ...] = ()
        self._entered: frozenset[Position] = frozenset()
        self._left: dict[Position, _Entry] = {}
        self._taken: dict[Part, _Entry] = {}
        self._made: dict[Part, tuple[Position, _Spent]] = {}

    # Not told before a statement is executed: most texts have nothing to do with refs.

    @cached_property
    def _statements(self) -> tuple[Statement, ...]:
        return statements_of(self._text, self._parsed, self._known)

    @cached_property
    def _lines(self) -> list[int]:
        return [one.line for one in self._statements]

    @cached_property
    def _shared(self) -> frozenset[str]:
        return _shared(self._statements)

    # -- before the run ------------------------------------------------------------------------

    def _fits(self, before: Kept) -> bool:
        """Whether all but the text is as it was."""
        resolver = self._resolver
        return (
            before.path == self._path
            and before.settings == self._settings
            and before.surroundings == resolver.surroundings
            and all(stamp == _stamp(path, resolver) for path, stamp in before.stamps.items())
            and not any(path in resolver.overlay or os.path.exists(path) for path in before.missing)
        )

    def first_id(self) -> int:
        """The id from which on a machine may count: alternatives of all runs are told apart."""
        return 1 if self._before is None else self._before.next_id

    # -- what `interp.run` tells ---------------------------------------------------------------

    def statement_begins(self, m: Machine) -> None:
        """See `interp.run.Reuse`."""
        # What a statement binds in a scope that it owns goes unlogged.
        m.st.owned.clear()
        m.fence = m.fresh_id()
        m.notes.changed = False
        self._mark = m.st.mark()
        names = m.scope(m.frame.module.scope).names
        self._globals = {name: names.get(name) for name in self._shared}

    def statement_ends(self, m: Machine) -> None:
        """See `interp.run.Reuse`."""
        own = m.frame.module.scope
        one = self._statements[len(self._changing)]
        names = m.scope(own).names
        rebound = any(names.get(n) is not v for n, v in self._globals.items() if n not in one.names)
        written = any(key < m.fence and key != own for key in m.st.log[self._mark :])
        self._changing.append(written or rebound or m.notes.changed)

    def module_ends(self, m: Machine) -> None:
        """See `interp.run.Reuse`."""
        tree = self._parsed.tree
        interest = m.frames[0].module.interest
        self._interesting = frozenset() if interest is None else interest.words
        self._is_sound = (
            len(self._changing) == len(tree.body)
            and not m.incomplete
            and not m.failures
            and not self._resolver.asked
            and not unread_bindings(m.notes)
        )
        self._entered = frozenset(m.entered)
        if self._before is not None and self._is_sound:
            self._left = {entry.function: entry for entry in self._still_true(self._before)}

    def kept_entry(self, m: Machine, function: Function) -> Part | None:
        """See `interp.run.Reuse`."""
        entry = self._left.get((function.node.lineno, function.node.col_offset))
        if entry is None or m.leaks:
            return None
        spent = _spent(m).plus(entry.spent)
        if not (self._stands_alone(m, function) and spent.is_affordable):
            return None
        m.steps = spent.all
        foreign, importing = COUNTERS
        m.memo[foreign], m.memo[importing] = spent.foreign, spent.importing
        part = Part(function, entry.functions, keys=entry.keys, ties=entry.ties, is_made=False)
        self._taken[part] = entry
        return part

    def entry_begins(self, m: Machine) -> None:
        """See `interp.run.Reuse`."""
        self._spent, self._doubts = _spent(m), _doubts(m)

    def entry_ends(self, m: Machine, part: Part) -> None:
        """See `interp.run.Reuse`."""
        function = part.function
        assert function is not None
        if _doubts(m) != self._doubts or m.leaks or not self._stands_alone(m, function):
            return
        now, first = _spent(m), self._spent
        if now.is_affordable:
            position = function.node.lineno, function.node.col_offset
            self._made[part] = position, now.since(first)

    def _stands_alone(self, m: Machine, function: Function) -> bool:
        """Whether a function was defined by a statement of the top level, and so was its class."""
        module = m.frames[0].module
        if function.module is not module or function.scope != module.scope:
            return False
        cls = m.owner_of(function.node)
        return cls is None or (
            cls.module is module
            and self._index(function.node.lineno) == self._index(cls.node.lineno)
        )

    def _index(self, line: int) -> int:
        """The index of the last statement that starts at or above a line."""
        return bisect_right(self._lines, line) - 1

    # -- what is still true --------------------------------------------------------------------

    def _still_true(self, before: Kept) -> list[_Entry]:
        """The entries of the run before that come to the same again, at their new places."""
        old, new = before.statements, self._statements
        above = _common(old, new)
        below = _common(old[above:][::-1], new[above:][::-1])
        edited = [*zip(old, before.changing, strict=True)][above : len(old) - below]
        edited += [*zip(new, self._changing, strict=True)][above : len(new) - below]
        if any(one.imports or is_changing for one, is_changing in edited):
            return []
        if _shared(old) != self._shared:
            return []
        names = _names(before.interesting ^ self._interesting)
        names = names.union(*(one.names for one, _ in edited))
        stays = self._unaffected(names, {*range(above), *range(len(new) - below, len(new))})
        if stays is None:
            return []
        moved = _Moves(before.path, old)
        for index in stays:
            earlier = index if index < above else index - len(new) + len(old)
            if before.changing[earlier] != self._changing[index]:
                return []
            moved.to[earlier] = new[index]
        if not moved.covers(before.entered, self._entered):
            return []
        return [entry for one in before.entries if (entry := moved.entry(one)) is not None]

    def _unaffected(self, names: frozenset[str], unchanged: set[int]) -> set[int] | None:
        """The statements that come to the same although `names` may mean something else.

        None where it cannot be told what does.
        """
        affected = set(names)
        grown = bool(affected)
        while grown:
            grown = False
            for index in sorted(unchanged):
                one = self._statements[index]
                if one.words.isdisjoint(affected):
                    continue
                if self._changing[index] or one.imports:
                    return None
                unchanged.discard(index)
                affected |= one.names
                grown = True
        if not affected.isdisjoint(self._shared):
            return None
        return unchanged

    # -- after the run -------------------------------------------------------------------------

    def judged(self, part: Part) -> tuple[Judged, ...] | None:
        """What was judged of an entry that was taken over; None for one that was made."""
        entry = self._taken.get(part)
        return None if entry is None else entry.judged

    def kept(
        self,
        m: Machine,
        parts: Parts,
        judged: Mapping[Part, Sequence[Judged]],
        texts: Mapping[str, Text],
    ) -> Kept | None:
        """What the next analysis may take over; None where that is nothing."""
        if not self._is_sound or m.leaks or not self._changing:
            return None
        resolver = self._resolver
        entries = [*self._taken.values()]
        for part, (position, spent) in self._made.items():
            found = tuple([replace(one, finding=None) for one in judged[part]])
            ties = ties_of(part, parts.first_id)
            entries.append(_Entry(position, part.functions, spent, ties, self._keys(part), found))
        stamps = {
            path: _stamp(path, resolver) for path in resolver.dependencies | self.dependencies
        }
        return Kept(
            self._path, self._settings, resolver.surroundings, stamps,
            resolver.missing | self.missing, texts, self._statements, self._interesting,
            tuple(self._changing), self._entered, tuple(entries), m.fresh_id(),
        )  # fmt: skip

    def _keys(self, part: Part) -> tuple[tuple[int, tuple[Key, ...]], ...]:
        """The keys of the values that a part saw, by statement."""
        starts = [one.start for one in self._statements]
        found: dict[int, list[Key]] = {}
        for kind, start, end in part.seen:
            first = starts[bisect_right(starts, start) - 1]
            found.setdefault(first, []).append((kind, start - first, end - first))
        return tuple((first, tuple(keys)) for first, keys in found.items())

    @property
    def _source(self) -> Kept | None:
        """Where something was taken over from."""
        return self._before if self._taken else None

    @property
    def texts(self) -> Mapping[str, Text]:
        """The texts of modules that entries which were taken over may speak of."""
        return {} if self._source is None else self._source.texts

    @property
    def dependencies(self) -> frozenset[str]:
        """The files that entries which were taken over rest on."""
        return frozenset() if self._source is None else frozenset(self._source.stamps)

    @property
    def missing(self) -> frozenset[str]:
        """The paths at which there was no file when those entries were made."""
        return frozenset() if self._source is None else self._source.missing


class _Moves:
    """Where statements of an earlier text stand now: `to`, by their index."""

    def __init__(self, path: str, old: Sequence[Statement]) -> None:
        self._path = path
        self._old = old
        self._lines = [one.line for one in old]
        self._starts = [one.start for one in old]
        self.to: dict[int, Statement] = {}

    def covers(self, entered: frozenset[Position], now: frozenset[Position]) -> bool:
        """Whether `entered` are `now`, as far as they are functions of the statements that moved."""
        lines = sorted((one.line, one.line + one.text.count("\n")) for one in self.to.values())
        starts = [first for first, _ in lines]

        def moved(position: Position) -> bool:
            index = bisect_right(starts, position[0]) - 1
            return index >= 0 and position[0] <= lines[index][1]

        return {self._position(one) for one in entered} - {None} == {p for p in now if moved(p)}

    def entry(self, one: _Entry) -> _Entry | None:
        """An entry at its new place; None where a part of it is gone."""
        function = self._position(one.function)
        functions = [self._position(other) for other in one.functions]
        if function is None or None in functions:
            return None
        keys = []
        for start, found in one.keys:
            new = self.to.get(bisect_right(self._starts, start) - 1)
            if new is None:
                return None
            keys.append((new.start, found))
        judged = tuple([self._judged(other) for other in one.judged])
        if None in judged:
            return None
        return _Entry(function, frozenset(functions), one.spent, one.ties, tuple(keys), judged)  # type: ignore[arg-type]

    def _position(self, position: Position) -> Position | None:
        index = bisect_right(self._lines, position[0]) - 1
        new = self.to.get(index)
        if new is None:
            return None
        by = new.line - self._lines[index]
        return (position[0] + by, position[1]) if by else position

    def _judged(self, one: Judged) -> Judged | None:
        places = [one.place, *(place for place, _ in one.related), *one.callers]
        moved = [self._place(place) for place in places]
        if None in moved:
            return None
        known: list[Any] = moved
        related = len(one.related)
        return replace(
            one,
            place=known[0],
            related=tuple(zip(known[1 : 1 + related], (w for _, w in one.related), strict=True)),
            callers=tuple(known[1 + related :]),
        )

    def _place(self, place: Place) -> Place | None:
        if place.path != self._path:
            return place
        start, end = place.span
        index = bisect_right(self._starts, start) - 1
        new = self.to.get(index)
        if new is None or end > self._old[index].end:
            return None
        by = new.start - self._old[index].start
        return replace(place, span=Span(start + by, end + by))


def _common(old: Sequence[Statement], new: Sequence[Statement]) -> int:
    """How many statements are the same from the start."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one.text != other.text or one.code != other.code:
            break
        count += 1
    return count


def _names(words: frozenset[str]) -> frozenset[str]:
    """The names among the words of interest. A path that comes or goes stood in what was edited alone."""
    return frozenset(word.lstrip(".") for word in words if "." not in word.lstrip("."))


def _shared(statements: Sequence[Statement]) -> frozenset[str]:
    """The names that functions declare global."""
    return frozenset[str]().union(*(one.shared for one in statements))


def _spent(m: Machine) -> _Spent:
    """What the run has spent so far."""
    memo, (foreign, importing) = m.memo, COUNTERS
    return _Spent(m.steps, memo.get(foreign, 0), memo.get(importing, 0))


def _doubts(m: Machine) -> tuple[int, ...]:
    """How often so far something happened that may come out otherwise another time."""
    return len(m.incomplete), len(m.failures), m.resolver.asked


def _stamp(path: str, resolver: Resolver) -> object:
    """What tells the present content of a file from another; equal to nothing where nothing does."""
    text = resolver.overlay.get(path)
    if text is not None:
        return text
    stamp = stamp_of(path)
    return object() if stamp is not None and can_change_unseen(stamp) else stamp
