"""Text to syntax tree: `ast` always, also when parts of the text are not Python."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

from jaxref.quick_dataclasses import dataclass
from jaxref.source.lines import LogicalLine, Shape, shape_of
from jaxref.source.reparsing import reparsed
from jaxref.source.text import Span, Text


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """One place that is not Python, in Python's own words."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A module's tree. Where `errors` is not empty, the broken statements are not in it.

    Line numbers and columns of the nodes are those of the parsed text. A broken header of a block
    is stood in for by a neutral one, so that what the block holds is kept.
    """

    tree: ast.Module
    errors: tuple[SyntaxProblem, ...] = ()


class Located(Protocol):
    """A node of `ast` that has a place."""

    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None


@lru_cache(maxsize=4)
def parse(text: str) -> Parsed:
    """Parse `text`. Never raises, whatever `text` holds.

    The last few results are kept and shared: nobody may change a tree.
    """
    code = _encodable(text)
    problems: list[SyntaxProblem] = []
    if "\0" in code:
        at = code.index("\0")
        problems.append(SyntaxProblem(Span(at, at + 1), "source code cannot contain null bytes"))
        code = code.replace("\0", " ")
    outcome = _attempt(code)
    if isinstance(outcome, ast.Module):
        return Parsed(outcome, tuple(problems))
    tree, found = _Recovery(text, code).run(outcome)
    return Parsed(tree, tuple(sorted([*problems, *found], key=lambda problem: problem.span)))


def span_of(node: Located, text: Text) -> Span:
    """The span of `node`, a node of the tree made of `text`."""
    start = text.ast_offset(node.lineno, node.col_offset)
    if node.end_lineno is None or node.end_col_offset is None:
        return Span(start, start)
    return Span(start, max(start, text.ast_offset(node.end_lineno, node.end_col_offset)))


def _encodable(text: str) -> str:
    """`text` as `ast` accepts it, with every character in its place and of its UTF-8 length.

    A byte order mark becomes three form feeds, which are no indentation; a lone surrogate becomes
    the replacement character, which counts three bytes as `Text.ast_offset` counts the surrogate.
    """
    if text.isascii():
        return text
    if text.startswith("\ufeff"):
        text = "\f\f\f" + text[1:]
    return _SURROGATE.sub("\ufffd", text)


_SURROGATE = re.compile("[\ud800-\udfff]")
_WARNINGS = threading.Lock()
"""`catch_warnings` swaps a list of the whole process: two threads must not interleave it."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why one attempt failed; `line` is 0-based, None where Python names no place."""

    line: int | None
    column: int
    end_line: int | None
    end_column: int
    message: str


_parsed: tuple[tuple[str, ast.Module], ...] = ()
"""The last few texts that parsed, the last one first. Most texts are one of them after an edit."""


def _attempt(code: str) -> ast.Module | _Failure:
    global _parsed
    try:
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _edited(code) or ast.parse(code)
            _parsed = ((code, tree), *_parsed[:3])
            return tree
    except SyntaxError as error:
        message = (error.msg or "invalid syntax").split(";")[0]
        if error.lineno is None:
            return _Failure(None, 0, None, 0, message)
        column = max(0, (error.offset or 1) - 1)
        end_line = error.end_lineno - 1 if error.end_lineno else None
        return _Failure(error.lineno - 1, column, end_line, (error.end_offset or 0) - 1, message)
    except (RecursionError, MemoryError):
        return _Failure(None, 0, None, 0, "too deeply nested")
    except (ValueError, OverflowError) as error:
        return _Failure(None, 0, None, 0, str(error))


def _edited(code: str) -> ast.Module | None:
    for before, tree in _parsed:
        try:
            found = reparsed(code, before, tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # Where Python gets stuck is told by parsing all of it.
            return None
        if found is not None:
            return found
    return None


_MOST_PROBLEMS = 5
"""After these few the rest mostly follows from them, as after a stray triple quote."""

_PARSED_LINES_BUDGET = 200_000
"""How many lines recovery may hand to `ast` in all: about two seconds of it."""


class _Recovery:
    """Replaces broken lines one after the other until the rest parses.

    Python's parser says where it got stuck. The smallest replacement near that place that lets it
    get furthest is kept. Replacements keep the number of lines, hence all positions outside.
    """

    def __init__(self, text: str, code: str) -> None:
        self.text = Text(text)
        self.lines = [code[start:end] for start, end in self._line_ranges()]
        self.shape: Shape = shape_of(Text(code))
        self.replaced: set[int] = set()
        self.problems: list[SyntaxProblem] = []
        self.spent = 0

    def run(self, failure: _Failure) -> tuple[ast.Module, list[SyntaxProblem]]:
        while failure.line is not None and self.spent < _PARSED_LINES_BUDGET:
            self._report(failure)
            unclosed = self._unclosed_before(failure.line)
            if unclosed is not None:
                if self._is_header(unclosed.first):
                    unclosed = LogicalLine(unclosed.first, unclosed.first)
                self._replace({unclosed.first: self._stand_in(unclosed), **_emptied(unclosed)})
                outcome = self._try({})
                if isinstance(outcome, ast.Module):
                    return outcome, self.problems
                failure = outcome
                continue
            best: tuple[int, dict[int, str], _Failure] | None = None
            for change in self._candidates(failure):
                if not self._changes(change):
                    continue
                outcome = self._try(change)
                if isinstance(outcome, ast.Module):
                    return outcome, self.problems
                reached = len(self.lines) + 1 if outcome.line is None else outcome.line
                if best is None or reached > best[0]:
                    best = (reached, change, outcome)
            if best is None:
                break
            self._replace(best[1])
            failure = best[2]
        if failure.line is None:
            self._report(failure)
        return self._chunk_by_chunk(), self.problems

    def _line_ranges(self) -> list[Span]:
        return [self.text.line_span(index) for index in range(self.text.line_count())]

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

    def _try(self, change: dict[int, str]) -> ast.Module | _Failure:
        self.spent += len(self.lines)
        lines = self.lines.copy()
        for line, stand_in in change.items():
            lines[line] = stand_in
        return _attempt("\n".join(lines))

    def _report(self, failure: _Failure) -> None:
        """Note the failure, unless it only follows from a line that was replaced next to it."""
        if failure.line is None:
            if not self.problems:
                self.problems.append(SyntaxProblem(Span(0, 0), failure.message))
            return
        line = min(failure.line, len(self.lines) - 1)
        if len(self.problems) == _MOST_PROBLEMS:
            return
        if any(near in self.replaced for near in (line - 1, line, line + 1)):
            return
        body = self.text.line_span(line)
        start = min(body.start + failure.column, body.end)
        end = start
        if failure.end_line == failure.line:
            end = min(body.start + max(failure.end_column, 0), body.end)
        if end <= start:
            end = min(start + 1, body.end)
            start = max(body.start, end - 1) if end == start else start
        self.problems.append(SyntaxProblem(Span(start, end), failure.message))

    def _candidates(self, failure: _Failure) -> Iterator[dict[int, str]]:
        """Replacements to try, the one that loses least first."""
        assert failure.line is not None
        line = min(failure.line, len(self.lines) - 1)
        missing_body = _MISSING_BODY.search(failure.message)
        if missing_body:
            header = self._logical_at(int(missing_body.group(1)) - 1)
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

    def _chunk_by_chunk(self) -> ast.Module:
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
            if isinstance(_attempt("\n".join(self.lines[begin:end])), ast.Module):
                kept[begin:end] = self.lines[begin:end]
        outcome = _attempt("\n".join(kept))
        return outcome if isinstance(outcome, ast.Module) else ast.Module([], [])


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
