"""What a fix writes again or takes away, whatever its layout: on one line, its comments kept."""

from __future__ import annotations

import ast

from jaxref.fixes.edits import NotPossible, Patch, line_end
from jaxref.fixes.program import Program
from jaxref.source.lines import shape_of
from jaxref.source.text import Span


def one_line(program: Program, node: ast.AST) -> str:
    """The text of an expression for a place that no bracket holds together."""
    text = program.source(node)
    return program.words(node) if "\n" in text or "\r" in text else text


def on_its_own(text: str) -> str:
    """The text of an expression that stood in brackets, for a place where none hold its lines together."""
    if "\n" not in text and "\r" not in text:
        return text
    try:
        ast.parse(text)
    except SyntaxError:
        return f"({text})"
    return text


def remove_lines(patch: Patch, span: Span) -> None:
    """Take away all that stands on the lines of a span, which is alone there; its comments stay."""
    text = patch.program.text
    start, end = span
    last = text.line_index(end)
    line = text.line_span(last)
    first = text.line_starts[text.line_index(start)]
    rest = text.content[end : line.end].strip()
    if text.content[first:start].strip() or (rest and not rest.startswith("#")):
        raise NotPossible
    after = text.line_starts[last + 1] if last + 1 < text.line_count() else line.end
    indent, newline = text.content[first:start], line_end(patch.program, start)
    comments = [
        f"{indent}{text.slice(one)}{newline}"
        for one in shape_of(text).comments
        if start <= one.start and one.end <= line.end
    ]
    patch.replace_span(Span(first, after), "".join(comments))
