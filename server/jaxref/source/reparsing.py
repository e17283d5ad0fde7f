"""The tree of a text, made with that of the text before an edit: what an edit leaves alone is kept.

A text is cut into chunks of the top level (`source/chunks.py`). One that stood in the text before, in the
same line, keeps its nodes, and what is known of them; the others are parsed. Where one is broken it is
recovered for itself, so that a broken text costs little more than a good one. The outcome is that of
the text alone, whatever the text before was.

Below an edit that changes the number of lines all is parsed, since nodes hold the numbers of their lines:
shifting those of copied nodes takes longer than `ast`.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from jaxref.quick_dataclasses import replace
from jaxref.source.chunks import (
    Brackets,
    chunk_starts,
    closing,
    edited_starts,
    hangs,
    has_block,
    has_open_string,
    starts_below,
    stray_quotes,
)
from jaxref.source.readings import SMALLEST, Failure, Reading, attempt
from jaxref.source.recovery import BELOW, LINES_BUDGET, Recovered, recovered, without_below
from jaxref.source.walking import first_line, last_line

_MOST_OUTLINED = 20_000
"""Characters. Where more is new than this, all is parsed, which the next outline starts from."""

_MOST_STRAYS = 5
"""Triple quotes that are taken for stray ones; each time all below is cut anew."""

_Key = tuple[int, str, bool]
"""A stretch of whole chunks: the lines above it, its text, and whether it is the last one."""

_TOKEN = re.compile(r"\w+|.")


class Known:
    """What stretches came to. Either holds the stretches of one text."""

    def __init__(self) -> None:
        self.chunks: dict[_Key, Recovered | None] = {}
        """By single chunks; None for one that fails alone."""
        self.stretches: dict[_Key, Recovered] = {}
        """By stretches whose first chunk fails alone."""


def known_of(reading: Reading) -> Known:
    """What the stretches of a text that is Python came to."""
    known = Known()
    stretches = _Stretches(reading.code, reading.starts)
    _share_out(stretches, 0, len(reading.starts), reading.tree.body, known)
    return known


def read(code: str, before: Sequence[Reading]) -> Reading:
    """The tree of `code`, whose lines end at LF; what is alike in one of `before` is kept."""
    for earlier in before:
        prefix, suffix = _in_common(code, earlier.code)
        if _is_alike(code, earlier.code, prefix, suffix):
            starts = edited_starts(code, earlier.code, earlier.starts, prefix, suffix)
            reading = _Reader(code, starts, earlier.known).run()
            if _may_be_cut_in_a_field(reading):
                break
            return reading
    outcome = attempt(code)
    if isinstance(outcome, ast.Module):
        return Reading(code, outcome)
    return _Reader(code, chunk_starts(code), Known()).run()


def outline(code: str, before: Sequence[Reading]) -> list[ast.stmt] | None:
    """The statements that `code` holds at its top level, of which some are at other lines than in it.

    None where that is not told much faster than by `read`, or not for sure.
    """
    for earlier in before:
        if earlier.code == code:
            # It was read.
            return None
        prefix, suffix = _in_common(code, earlier.code)
        if not _is_alike(code, earlier.code, prefix, suffix):
            continue
        starts = edited_starts(code, earlier.code, earlier.starts, prefix, suffix)
        body: list[ast.stmt] = []
        left, above = _MOST_OUTLINED, ""
        for start, end in pairwise([*starts, len(code)]):
            text, is_last = code[start:end], end == len(code)
            found: Sequence[ast.stmt] | Failure | None = earlier.by_text.get((text, is_last))
            if found is None:
                left -= len(text)
                if left < 0 or (hangs(text) and has_block(above)):
                    return None
                found = _attempt((0, text, is_last))
            if isinstance(found, Failure):
                return None
            body += found
            above = text
        return body
    return None


def _in_common(code: str, before: str) -> tuple[int, int]:
    """How many characters two texts have in common from the start, and from the end."""
    size = min(len(code), len(before))
    prefix = _common_start(code, before, size)
    return prefix, _common_end(code, before, size - prefix)


def _is_alike(code: str, before: str, prefix: int, suffix: int) -> bool:
    size = min(len(code), len(before))
    return size >= SMALLEST and 2 * (prefix + suffix) >= size


def _attempt(key: _Key) -> list[ast.stmt] | Failure:
    above, text, is_last = key
    outcome = attempt(text if is_last else text + BELOW, above)
    if isinstance(outcome, Failure):
        return outcome
    return without_below(outcome.body, above + text.count("\n") + 1, is_last)


def _may_be_cut_in_a_field(reading: Reading) -> bool:
    """Whether a field of an f-string in single quotes may hold the line end where a chunk was cut.

    Since Python 3.12 it can. Where the string ends is then left to `ast`.
    """
    open_at = [
        problem.line
        for problem in reading.problems
        if problem.line is not None and "-string: expecting" in problem.message
    ]
    lines = reading.code.split("\n") if open_at else []
    below = ["".join(lines[line + 1 : line + 2]) for line in open_at]
    return any(line and not line[0].isspace() for line in below)


class _Stretches:
    """The chunks of a text, as stretches of it."""

    def __init__(self, code: str, starts: list[int]) -> None:
        self.code = code
        self.chunks = [code[start:end] for start, end in pairwise([*starts, len(code)])]
        self.lines = [0, *accumulate(chunk.count("\n") for chunk in self.chunks)]
        """The lines above each chunk, and all lines."""
        self.lines[-1] += 1

    def __len__(self) -> int:
        return len(self.chunks)

    def key(self, first: int, last: int) -> _Key:
        """The stretch of the chunks from `first` to `last`, inclusive."""
        text = self.chunks[first] if first == last else "".join(self.chunks[first : last + 1])
        return self.lines[first], text, last + 1 == len(self.chunks)

    def chunk_at(self, line: int) -> int:
        return min(bisect_right(self.lines, line), len(self.chunks)) - 1


def _share_out(
    stretches: _Stretches,
    first: int,
    end: int,
    body: Sequence[ast.stmt],
    known: Known,
) -> None:
    """Note which statements of `body` are of which of the chunks from `first` to `end`, exclusive."""
    at = 0
    while first < end:
        last, begin = first, at
        while at < len(body) and first_line(body[at]) <= stretches.lines[last + 1]:
            while last_line(body[at]) > stretches.lines[last + 1]:
                # Brackets hold a line without indentation.
                last += 1
            at += 1
        key = stretches.key(first, last)
        found = Recovered(tuple(body[begin:at]), key[1])
        if last == first:
            known.chunks[key] = found
        else:
            known.chunks[stretches.key(first, first)] = None
            known.stretches[key] = found
        first = last + 1


class _Reader:
    """Reads a text chunk by chunk, from the first to the last, with what is known from before."""

    def __init__(self, code: str, starts: list[int], before: Known) -> None:
        self.code = code
        self.raw_starts = self.starts = starts
        self.stretches = _Stretches(code, starts)
        self.before = before
        self.known = Known()
        self.taken: list[tuple[_Key, Recovered]] = []
        self.brackets: dict[int, Brackets] = {}
        self.cut: list[int] = []
        self.spent = 0

    def run(self) -> Reading:
        at, limit, then = 0, len(self.stretches), 0
        while at < len(self.stretches):
            key = self.stretches.key(at, at)
            if self._is_known(key):
                at = self._take(at, key)
                continue
            end = at + 1
            while end < min(at + limit, len(self.stretches)):
                if self._is_known(self.stretches.key(end, end)):
                    break
                end += 1
            outcome = _attempt(self.stretches.key(at, end - 1))
            if not isinstance(outcome, Failure):
                _share_out(self.stretches, at, end, outcome, self.known)
                limit, then = then or 2 * limit, 0
            elif end == at + 1:
                self.known.chunks[key] = None
                limit, then = 1, 0
            else:
                # All above the failure at once, and then the chunk with it.
                line = self.stretches.lines[end] if outcome.line is None else outcome.line
                failed = self.stretches.chunk_at(self.stretches.lines[at] + line)
                limit, then = max(1, min(failed, end - 1) - at), 1
        return self._reading()

    def _is_known(self, key: _Key) -> bool:
        known, before = self.known.chunks, self.before.chunks
        if key not in known and key in before:
            known[key] = before[key]
        return key in known

    def _take(self, at: int, key: _Key) -> int:
        """Take what begins with chunk `at`, whose `key` is known. Gives the chunk that is next."""
        alone = self.known.chunks[key]
        if alone is not None and not self._hangs(at + 1):
            self.taken.append((key, alone))
            return at + 1
        if alone is None and self._cut_at_stray_quotes(at):
            return at
        last = at if alone is not None else closing(self.stretches.chunks, at, self.brackets)
        while self._hangs(last + 1):
            last += 1
        stretch = self.stretches.key(at, last)
        if self.spent >= LINES_BUDGET:
            found = Recovered((), "\n" * stretch[1].count("\n"))
        else:
            found = (
                self.known.stretches.get(stretch)
                or self.before.stretches.get(stretch)
                or self._recovered(stretch)
            )
            self.known.stretches[stretch] = found
        self.spent += found.spent
        self.taken.append((stretch, found))
        return last + 1

    def _hangs(self, at: int) -> bool:
        """Whether chunk `at` seems to begin with a line in the middle of the block above."""
        chunks = self.stretches.chunks
        return (
            at < len(chunks)
            and not self.known.chunks.get(self.stretches.key(at, at))
            and not self.before.chunks.get(self.stretches.key(at, at))
            and hangs(chunks[at])
            and has_block(chunks[at - 1])
        )

    def _cut_at_stray_quotes(self, at: int) -> bool:
        """Where triple quotes in chunk `at` seem to be too many, end it as if they were not there."""
        if at in self.cut or len(self.cut) == _MOST_STRAYS or not self._has_open_string():
            return False
        start = self.starts[at]
        stray = stray_quotes(self.code, start, start + len(self.stretches.chunks[at]))
        if stray is None:
            return False
        self.cut.append(at)
        self.starts = [*self.starts[: at + 1], *starts_below(self.code, stray)]
        self.stretches = _Stretches(self.code, self.starts)
        self.brackets.clear()
        return True

    def _has_open_string(self) -> bool:
        return has_open_string(self.code, self.starts[-1])

    def _recovered(self, stretch: _Key) -> Recovered:
        above, text, is_last = stretch
        outcome = _attempt(stretch)
        if isinstance(outcome, Failure):
            return recovered(text, above, is_last, outcome)
        return Recovered(tuple(outcome), text)

    def _reading(self) -> Reading:
        body = [statement for _, found in self.taken for statement in found.body]
        reading = Reading(self.code, ast.Module(body, []))
        reading.repaired = "".join(found.code for _, found in self.taken)
        reading.problems = tuple(self._problems())
        reading.known = self.known
        reading.starts = self.raw_starts
        return reading

    def _problems(self) -> Iterator[Failure]:
        offset = 0
        follows = False
        for (above, text, is_last), found in self.taken:
            offset += len(text)
            for problem in found.problems:
                if problem.line is None:
                    yield replace(problem, line=above)
                    continue
                if problem.line == 0 and follows:
                    # It only comes of the line above, which was replaced.
                    continue
                end_column = problem.end_column
                if not is_last and problem.line == text.count("\n"):
                    token = _TOKEN.match(self.code, offset)
                    end_column = token.end() - offset if token else 0
                end_line = None if problem.end_line is None else problem.end_line + above
                yield Failure(
                    problem.line + above, problem.column, end_line, end_column, problem.message
                )
            follows = found.is_end_replaced


def _common_start(a: str, b: str, size: int) -> int:
    """How many characters, of `size`, two texts have in common from their start."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(a: str, b: str, size: int) -> int:
    """How many characters, of `size`, two texts have in common at their end."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
