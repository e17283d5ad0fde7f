"""What of a broken stretch of code can be kept: broken lines are replaced until the rest parses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxref.quick_dataclasses import dataclass, replace
from jaxref.source.lines import LogicalLine, Shape, shape_of
from jaxref.source.readings import Failure, attempt
from jaxref.source.text import Text


@dataclass(frozen=True, slots=True)
class Recovered:
    """What is kept of a stretch: `body`, the nodes of `code`, which has as many lines.

    The lines of `problems` count from the stretch, and one may be the line below it.
    """

    body: tuple[ast.stmt, ...]
    code: str
    problems: tuple[Failure, ...] = ()
    spent: int = 0
    """The lines handed to `ast`."""
    is_end_replaced: bool = False


LINES_BUDGET = 200_000
"""How many lines the recovery of a text may hand to `ast` in all: about two seconds of it."""

BELOW = "pass"
"""Stands for what follows a stretch: Python reports there what is missing at its end."""


def without_below(body: list[ast.stmt], line: int, is_last: bool = False) -> list[ast.stmt]:
    """`body` without the statement that stands for what follows, in the 1-based `line`, if any."""
    return body[:-1] if not is_last and body and body[-1].lineno == line else body


def recovered(code: str, above: int, is_last: bool, failure: Failure) -> Recovered:
    """What can be kept of `code`, which begins a line below `above` lines, and fails with `failure`.

    Not `is_last` is code that ends with a line and has a line of the top level below, `BELOW`.
    """
    return _Recovery(code, above, is_last).run(failure)


class _Recovery:
    """Replaces broken lines one after the other until the rest parses.

    Python's parser says where it got stuck. The smallest replacement near that place that lets it
    get furthest is kept. Replacements keep the number of lines, hence all positions outside.
    """

    def __init__(self, code: str, above: int, is_last: bool) -> None:
        self.text = Text(code)
        self.above = above
        self.lines = code.split("\n")
        self.is_last = is_last
        if not is_last:
            self.lines[-1] = BELOW
        self.shape: Shape = shape_of(Text("\n".join(self.lines)))
        self.replaced: set[int] = set()
        self.problems: list[Failure] = []
        self.spent = 0

    def run(self, failure: Failure) -> Recovered:
        body = self._repaired(failure)
        if body is None:
            body = self._chunk_by_chunk()
        last = len(self.lines) - (1 if self.is_last else 2)
        if not self.is_last:
            body = without_below(body, self.above + len(self.lines))
            self.lines[-1] = ""
        return Recovered(
            tuple(body),
            "\n".join(self.lines),
            tuple(self.problems),
            self.spent,
            last in self.replaced,
        )

    def _repaired(self, failure: Failure) -> list[ast.stmt] | None:
        while failure.line is not None and self.spent < LINES_BUDGET:
            self._report(failure)
            unclosed = self._unclosed_before(failure.line)
            if unclosed is not None:
                if self._is_header(unclosed.first):
                    unclosed = LogicalLine(unclosed.first, unclosed.first)
                self._replace({unclosed.first: self._stand_in(unclosed), **_emptied(unclosed)})
                outcome = self._try({})
                if isinstance(outcome, ast.Module):
                    return outcome.body
                failure = outcome
                continue
            best: tuple[int, dict[int, str], Failure] | None = None
            for change in self._candidates(failure):
                if not self._changes(change):
                    continue
                outcome = self._try(change)
                if isinstance(outcome, ast.Module):
                    self._replace(change)
                    return outcome.body
                reached = len(self.lines) + 1 if outcome.line is None else outcome.line
                if best is None or reached > best[0]:
                    best = (reached, change, outcome)
            if best is None:
                break
            self._replace(best[1])
            failure = best[2]
        if failure.line is None:
            self._report(failure)
        return None

    def _replace(self, change: dict[int, str]) -> None:
        for line, stand_in in change.items():
            self.lines[line] = stand_in
            self.replaced.add(line)

    def _unclosed_before(self, line: int) -> LogicalLine | None:
        """The nearest statement at or above `line` with an open bracket, when not yet replaced.

        Python gets stuck only where the next statement begins, so getting further is no measure.
        """
        found = None
        for logical in self.shape.unclosed:
            if logical.first <= line and (found is None or logical.first > found.first):
                found = logical
        if found is None or found.first in self.replaced:
            return None
        return found if self._logical_at(line).first in (found.first, self._next(found)) else None

    def _next(self, logical: LogicalLine) -> int:
        for other in self.shape.logical:
            if other.first > logical.last:
                return other.first
        return len(self.lines)

    def _changes(self, change: dict[int, str]) -> bool:
        return any(self.lines[line] != stand_in for line, stand_in in change.items()) and not (
            self.replaced.issuperset(change) and all(self.lines[line] == "" for line in change)
        )

    def _try(self, change: dict[int, str]) -> ast.Module | Failure:
        lines = self.lines.copy()
        for line, stand_in in change.items():
            lines[line] = stand_in
        return self._attempt(lines)

    def _attempt(self, lines: list[str]) -> ast.Module | Failure:
        self.spent += len(lines)
        return attempt("\n".join(lines), self.above)

    def _report(self, failure: Failure) -> None:
        """Note the failure, unless it only follows from a line that was replaced next to it."""
        if failure.line is None:
            if not self.problems:
                self.problems.append(failure)
            return
        line = min(failure.line, len(self.lines) - 1)
        if not any(near in self.replaced for near in (line - 1, line, line + 1)):
            self.problems.append(replace(failure, line=line))

    def _candidates(self, failure: Failure) -> Iterator[dict[int, str]]:
        """Replacements to try, the one that loses least first."""
        assert failure.line is not None
        line = min(failure.line, len(self.lines) - 1)
        missing_body = _MISSING_BODY.search(failure.message)
        if missing_body:
            header = self._logical_at(int(missing_body.group(1)) - 1 - self.above)
            yield {header.last: self._with_body(header.last)}
        if "'except'" in failure.message:
            tries = [n for n in range(line, -1, -1) if self.lines[n].lstrip().startswith("try")]
            for number in tries[:3]:
                yield {number: _indent(self.lines[number]) + "if 1:"}
        region = self._logical_at(line)
        whole = _emptied(region)
        if any(word in failure.message for word in _LEFT_OPEN):
            if self._is_header(line):
                yield {line: self._stand_in(LogicalLine(line, line))}
            opened = LogicalLine(line, self._last_deeper(line))
            yield {**_emptied(opened), line: self._stand_in(opened)}
        yield {**whole, region.first: self._stand_in(region)}
        if region.last > region.first:
            yield {line: self._stand_in(LogicalLine(line, line))}
        yield {**whole, region.first: ""}
        if region.first > 0:
            previous = self._logical_at(region.first - 1)
            yield {**_emptied(previous), previous.first: self._stand_in(previous)}
        if "indent" in failure.message:
            above = self._statement_above(region.first)
            if above is not None and self._depth(above.first) < self._depth(line):
                # It may be the one that stands wrong, in the middle of a block.
                yield {**_emptied(above), above.first: ""}

    def _statement_above(self, line: int) -> LogicalLine | None:
        """The nearest logical line above `line` that is not emptied."""
        for logical in reversed(self.shape.logical):
            if logical.first < line and self.lines[logical.first].strip():
                return logical
        return None

    def _depth(self, line: int) -> int:
        return len(_indent(self.lines[line]).expandtabs())

    def _logical_at(self, line: int) -> LogicalLine:
        """The logical line that holds `line`, or the last one before it."""
        line = min(line, len(self.lines) - 1)
        found = LogicalLine(line, line)
        for logical in self.shape.logical:
            if logical.first > line:
                break
            found = logical
        if found.last < line and self.lines[line].strip():
            return LogicalLine(line, line)
        return found

    def _last_deeper(self, line: int) -> int:
        """The last line of the deeper indented ones that follow `line`."""
        depth = len(_indent(self.lines[line]).expandtabs())
        last = line
        for number in range(line + 1, len(self.lines)):
            body = self.lines[number].strip()
            if not body:
                continue
            if len(_indent(self.lines[number]).expandtabs()) <= depth and body[0] not in ")]}":
                break
            last = number
        return last

    def _with_body(self, line: int) -> str:
        body = self.text.line_span(line)
        for comment in self.shape.comments:
            if body.start <= comment.start < body.end:
                return self.lines[line][: comment.start - body.start] + " pass"
        return self.lines[line] + " pass"

    def _stand_in(self, region: LogicalLine) -> str:
        """A line that may stand where `region` stood: a header keeps its block."""
        first = self.lines[region.first]
        indent = _indent(first)
        word = _WORD.match(first.strip())
        if first.lstrip().startswith("@"):
            return ""
        if word and word.group() in _HEADERS and self._has_block(region, indent):
            return indent + _HEADERS[word.group()]
        return indent + "pass"

    def _is_header(self, line: int) -> bool:
        word = _WORD.match(self.lines[line].strip())
        return word is not None and word.group() in _HEADERS

    def _has_block(self, region: LogicalLine, indent: str) -> bool:
        for line in range(region.last + 1, len(self.lines)):
            if self.lines[line].strip():
                return len(_indent(self.lines[line]).expandtabs()) > len(indent.expandtabs())
        return False

    def _chunk_by_chunk(self) -> list[ast.stmt]:
        """What parses of the top-level statements, each taken for itself."""
        starts = [
            number
            for number, line in enumerate(self.lines)
            if line and line[0] not in " \t\f#)]}" and not _CONTINUES.match(line)
        ]
        kept = [""] * len(self.lines)
        ends = [*starts, len(self.lines)][1:]
        decorated_from: int | None = None
        for start, end in zip(starts, ends, strict=True):
            if self.lines[start].startswith("@"):
                decorated_from = start if decorated_from is None else decorated_from
                continue
            begin = start if decorated_from is None else decorated_from
            decorated_from = None
            if isinstance(self._attempt(self.lines[begin:end]), ast.Module):
                kept[begin:end] = self.lines[begin:end]
        outcome = self._attempt(kept)
        self.lines = kept if isinstance(outcome, ast.Module) else [""] * len(kept)
        return outcome.body if isinstance(outcome, ast.Module) else []


_LEFT_OPEN = ("never closed", "unterminated", "too many nested parentheses")
_MISSING_BODY = re.compile(r"expected an indented block after .* on line (\d+)")
_WORD = re.compile(r"(?:async\s+)?[^\W\d]\w*")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")
_HEADERS = {
    "def": "def _():",
    "async def": "async def _():",
    "class": "class _:",
    "if": "if 1:",
    "elif": "elif 1:",
    "else": "else:",
    "for": "while 1:",
    "async for": "while 1:",
    "while": "while 1:",
    "with": "if 1:",
    "async with": "if 1:",
    "try": "if 1:",
    "except": "except:",
    "finally": "finally:",
}


def _emptied(region: LogicalLine) -> dict[int, str]:
    """The replacement that empties all lines of `region` but the first."""
    return dict.fromkeys(range(region.first + 1, region.last + 1), "")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]
