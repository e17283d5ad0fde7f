"""Positions in a text. The one unit inside jaxref is the code-point offset, counted from 0."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from jaxref.quick_dataclasses import NamedTuple


class Span(NamedTuple):
    """A stretch of one text: code-point offsets from 0, `end` exclusive."""

    start: int
    end: int

    def contains(self, offset: int) -> bool:
        """True when `offset` lies inside or directly at the end of the span."""
        return self.start <= offset <= self.end


class Replacement(NamedTuple):
    """Put `text` in the place of `span`; an empty span inserts."""

    span: Span
    text: str


def replaced(content: str, replacements: Iterable[tuple[Span, str]]) -> str:
    """`content` with all `replacements` done. Raises `ValueError` where they overlap."""
    parts: list[str] = []
    at = 0
    for span, text in sorted(replacements):
        if span.start < at:
            raise ValueError("replacements overlap")
        parts.append(content[at : span.start])
        parts.append(text)
        at = span.end
    parts.append(content[at:])
    return "".join(parts)


class Position(NamedTuple):
    """A place for people: `line` and `column` counted from 1, columns in code points."""

    line: int
    column: int


class Text:
    """A source text with its line table.

    Lines end at LF, CRLF and lone CR only, as in Python and in the Language Server Protocol; form
    feeds and Unicode separators do not end a line.
    """

    __slots__ = ("_ascii", "_starts", "content")

    def __init__(self, content: str) -> None:
        self.content = content
        self._starts: list[int] | None = None
        self._ascii = content.isascii()

    @property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts; the first is 0, there is always one."""
        if self._starts is None:
            starts = [0]
            content = self.content
            if "\r" not in content:
                at = content.find("\n")
                while at >= 0:
                    starts.append(at + 1)
                    at = content.find("\n", at + 1)
            else:
                index, size = 0, len(content)
                while index < size:
                    char = content[index]
                    index += 1
                    if char == "\r":
                        if index < size and content[index] == "\n":
                            index += 1
                        starts.append(index)
                    elif char == "\n":
                        starts.append(index)
            self._starts = starts
        return self._starts

    def line_count(self) -> int:
        """The number of lines; a final line end opens one more, empty line."""
        return len(self.line_starts)

    def line_index(self, offset: int) -> int:
        """The 0-based line that holds `offset` (clamped to the text)."""
        return bisect_right(self.line_starts, max(0, min(offset, len(self.content)))) - 1

    def line_span(self, index: int) -> Span:
        """The span of the 0-based line `index` without its line end."""
        starts = self.line_starts
        start = starts[index]
        end = starts[index + 1] if index + 1 < len(starts) else len(self.content)
        content = self.content
        while end > start and content[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

    def lines(self, first: int, last: int) -> str:
        """The text of some whole lines, counted from 1, `last` included, with their ends."""
        starts = self.line_starts
        end = starts[last] if last < len(starts) else len(self.content)
        return self.content[starts[first - 1] : end]

    def position(self, offset: int) -> Position:
        """Line and column, both from 1, of `offset`."""
        offset = max(0, min(offset, len(self.content)))
        index = self.line_index(offset)
        return Position(index + 1, offset - self.line_starts[index] + 1)

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and column, clamped to the text and to the line's body."""
        starts = self.line_starts
        if line < 1:
            return 0
        if line > len(starts):
            return len(self.content)
        span = self.line_span(line - 1)
        return max(span.start, min(span.start + column - 1, span.end))

    def ast_offset(self, lineno: int, col_offset: int) -> int:
        """The offset of a place given as `ast` gives it: line from 1, column in UTF-8 bytes from 0."""
        starts = self.line_starts
        if lineno > len(starts):
            return len(self.content)
        start = starts[lineno - 1]
        if self._ascii or col_offset == 0:
            return min(start + col_offset, len(self.content))
        span = self.line_span(lineno - 1)
        line = self.content[span.start : span.end]
        if line.isascii():
            return start + col_offset
        head = line.encode("utf-8", "surrogatepass")[:col_offset]
        try:
            return start + len(head.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            return start + len(head.decode("utf-8", "ignore"))

    def slice(self, span: Span) -> str:
        """The characters of `span`."""
        return self.content[span.start : span.end]
