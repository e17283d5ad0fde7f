"""The lexical shape of a text: logical lines and comments, also where the syntax is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxref.quick_dataclasses import NamedTuple, dataclass
from jaxref.source.text import Span, Text


class LogicalLine(NamedTuple):
    """The 0-based physical lines of one logical line, `last` inclusive; blank ones make none."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The logical lines of a text in order, and the spans of its comments (with the `#`).

    `unclosed` holds the logical lines in which a bracket was given up.
    """

    logical: tuple[LogicalLine, ...]
    comments: tuple[Span, ...]
    unclosed: frozenset[LogicalLine] = frozenset()


_PREFIX = r"(?:[rRbBuUfFtT]{0,2})"
_TOKEN = re.compile(
    rf"""(?P<comment>\#[^\r\n]*)
      | (?P<quote>{_PREFIX}(?:\"\"\"|'''|"|'))
      | (?P<word>[^\W\d]\w*)
      | (?P<open>[(\[{{])
      | (?P<close>[)\]}}])
      | (?P<joined>\\(?:\r\n|\n|\r))
      | (?P<newline>\r\n|\n|\r)
      | (?P<space>[ \t\f]+)
      | (?P<other>[^\s\w\#"'()\[\]{{}}\\]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)

STATEMENT_ONLY = frozenset(
    [
        "def",
        "class",
        "return",
        "import",
        "while",
        "with",
        "try",
        "except",
        "finally",
        "raise",
        "pass",
        "break",
        "continue",
        "del",
        "global",
        "nonlocal",
        "assert",
    ]
)
"""Words that can begin a line only outside of brackets: there an unclosed bracket is given up."""


def shape_of(text: Text) -> Shape:
    """Scan `text` once. Never fails: an unclosed bracket ends where a statement surely begins."""
    comments: list[Span] = []
    unclosed: list[Span] = []
    logical = list(statements_in(text.content, 0, comments, unclosed))
    index = text.line_index
    return Shape(
        tuple(LogicalLine(index(first), index(last)) for first, last in logical),
        tuple(comments),
        frozenset(LogicalLine(index(first), index(last)) for first, last in unclosed),
    )


def statements_in(
    content: str, at: int, comments: list[Span] | None = None, unclosed: list[Span] | None = None
) -> Iterator[Span]:
    """The first and the last character of each logical line from `at` on, one after the other.

    `at` is where a logical line may begin. What is passed on the way goes into the lists.
    """
    start = last_code = -1
    depth = 0
    line_begins = True
    size = len(content)
    match = _TOKEN.match
    while at < size:
        token = match(content, at)
        if token is None:
            at += 1
            continue
        kind = token.lastgroup
        end = token.end()
        if kind == "newline":
            if depth == 0 and start >= 0:
                yield Span(start, last_code)
                start = -1
            line_begins = True
        elif kind == "comment":
            if comments is not None:
                comments.append(Span(at, end))
        elif kind == "joined":
            if start >= 0:
                last_code = end
        elif kind != "space":
            if kind == "word" and depth and line_begins and token.group() in STATEMENT_ONLY:
                depth = 0
                if unclosed is not None:
                    unclosed.append(Span(start, last_code))
                yield Span(start, last_code)
                start = -1
            if kind == "quote":
                end = _string_end(content, token)
            elif kind == "open":
                depth += 1
            elif kind == "close":
                depth = max(0, depth - 1)
            if start < 0:
                start = at
            last_code = end - 1
            line_begins = False
        at = end
    if start >= 0:
        yield Span(start, last_code)


_PLAIN_END = {
    quote: re.compile(
        rf"(?s:\\.|[^\\])*?{quote}"
        if len(quote) == 3
        else rf"(?:\\(?:\r\n|[\s\S])|[^\\\r\n{quote}])*"
    )
    for quote in ('"""', "'''", '"', "'")
}


_DEEPEST_FORMATTED = 160
"""Python itself refuses f-strings in f-strings before that depth."""


def _string_end(content: str, opening: re.Match[str], depth: int = 0) -> int:
    """The offset after the string that `opening` opens; an unclosed one ends with its line or text."""
    spelled = opening.group()
    quote = spelled.lstrip("rRbBuUfFtT")
    if len(spelled) > len(quote) and any(char in "fFtT" for char in spelled):
        return formatted_end(content, opening.end(), quote, depth)
    body = _PLAIN_END[quote].match(content, opening.end())
    if body is None:
        return len(content)
    end = body.end()
    return end + 1 if len(quote) == 1 and content.startswith(quote, end) else end


_FORMATTED_STEP = re.compile(
    r"""\\(?:\r\n|[\s\S])|\{\{|\}\}|[{}]|\"\"\"|'''|["'\r\n]|[^\\{}"'\r\n]+"""
)


def formatted_end(content: str, at: int, quote: str, depth: int) -> int:
    """As `_string_end`, for f- and t-strings, whose fields may hold strings of any quotes."""
    size = len(content)
    if depth > _DEEPEST_FORMATTED:
        return size
    fields = 0
    while at < size:
        step = _FORMATTED_STEP.match(content, at)
        if step is None:
            return size
        token = step.group()
        if fields == 0:
            if token == quote or (len(quote) == 1 and token[0] == quote):
                return at + len(quote)
            if token in ("\r", "\n") and len(quote) == 1:
                return at
            if token == "{":
                fields = 1
        elif token in ("{", "{{"):
            fields += len(token)
        elif token in ("}", "}}"):
            fields = max(0, fields - len(token))
            if fields == 0 and token == "}}":
                at += 1
                continue
        elif token in ("\r", "\n") and len(quote) == 1:
            return at
        elif token[0] in "\"'":
            if token == quote and len(quote) == 3:
                return at + 3
            nested = _TOKEN.match(content, at)
            if nested is not None and nested.lastgroup == "quote":
                end = _string_end(content, nested, depth + 1)
                if len(quote) == 1 and token[0] == quote and content.find("\n", at, end) >= 0:
                    return at + 1
                at = end
                continue
        at = step.end()
    return size
