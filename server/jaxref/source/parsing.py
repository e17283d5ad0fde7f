"""Text to syntax tree: `ast` always, also when parts of the text are not Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from jaxref.quick_dataclasses import dataclass
from jaxref.source.readings import SMALLEST, Failure, Reading, attempt
from jaxref.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Located(Protocol):
        """A node of `ast` that has a place."""

        lineno: int
        col_offset: int
        end_lineno: int | None
        end_col_offset: int | None


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
    code: str
    """The text whose tree it is: the parsed one with other line ends, and with what stands in."""
    errors: tuple[SyntaxProblem, ...] = ()


@lru_cache(maxsize=4)
def parse(text: str) -> Parsed:
    """Parse `text`. Never raises, whatever `text` holds.

    The last few results are kept and shared: nobody may change a tree. What an edit leaves alone of
    the top level keeps its nodes, also where the text is broken.
    """
    global _readings
    code = _encodable(text)
    problems: list[SyntaxProblem] = []
    if "\0" in code:
        at = text.index("\0")
        problems.append(SyntaxProblem(Span(at, at + 1), "source code cannot contain null bytes"))
        code = code.replace("\0", " ")
    reading = _read(code)
    _readings = (reading, *_readings[:3])
    problems += _problems(text, reading.problems)
    return Parsed(
        reading.tree, reading.repaired, tuple(sorted(problems, key=lambda problem: problem.span))
    )


def _read(code: str) -> Reading:
    if not _readings or len(code) < SMALLEST:
        outcome = attempt(code)
        if isinstance(outcome, ast.Module):
            # What compares and recovers texts takes longer to import than most take to parse.
            return Reading(code, outcome)
    from jaxref.source.reparsing import read

    return read(code, _readings)


def outlined(text: str) -> list[ast.stmt] | None:
    """The statements at the top level of `text`, of which some are at other lines than in it.

    For what does not ask where something stands. None where only `parse` tells.
    """
    from jaxref.source.reparsing import outline

    return outline(_encodable(text), _readings) if "\0" not in text else None


_readings: tuple[Reading, ...] = ()
"""Those of the last few texts, the last one first. Most texts are one of them after an edit."""

_MOST_PROBLEMS = 5
"""After these few the rest mostly follows from them."""


def _problems(content: str, failures: Sequence[Failure]) -> Iterator[SyntaxProblem]:
    if not failures:
        return
    text = Text(content)
    for failure in failures[:_MOST_PROBLEMS]:
        line = 0 if failure.line is None else min(failure.line, text.line_count() - 1)
        body = text.line_span(line)
        start = min(body.start + failure.column, body.end)
        end = start
        if failure.end_line == line:
            end = min(body.start + max(failure.end_column, 0), body.end)
        if end <= start and failure.line is not None:
            end = min(start + 1, body.end)
            start = max(body.start, end - 1) if end == start else start
        yield SyntaxProblem(Span(start, end), failure.message)


def span_of(node: Located, text: Text) -> Span:
    """The span of `node`, a node of the tree made of `text`."""
    start = text.ast_offset(node.lineno, node.col_offset)
    if node.end_lineno is None or node.end_col_offset is None:
        return Span(start, start)
    return Span(start, max(start, text.ast_offset(node.end_lineno, node.end_col_offset)))


def _encodable(text: str) -> str:
    """`text` as `ast` accepts it, with every character in its line and column and of its UTF-8 length.

    Lines end at LF only, as in what `ast` makes of any text.
    A byte order mark becomes three form feeds, which are no indentation; a lone surrogate becomes
    the replacement character, which counts three bytes as `Text.ast_offset` counts the surrogate.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    if text.startswith("\ufeff"):
        text = "\f\f\f" + text[1:]
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
