"""What a fix writes again or takes away, whatever its layout: on one line, its comments kept."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxref.fixes.edits import NotPossible, Patch, begins_line
from jaxref.fixes.program import Program
from jaxref.source.lines import shape_of
from jaxref.source.text import Span


def one_line(program: Program, node: ast.AST) -> str:
    """The text of an expression for a place that no bracket holds together."""
    text = program.source(node)
    return program.words(node) if "\n" in text or "\r" in text else text


def lift_comments(patch: Patch, at: ast.AST, span: Span, kept: Iterable[Span] = ()) -> None:
    """Keep the comments inside `span`, which is replaced, but for those in `kept`, which is written again.

    They go above the statement of the node `at`, or above the one whose line it stands on.
    """
    program = patch.program
    left = tuple(kept)
    found = [
        comment
        for comment in shape_of(program.text).comments
        if span.start <= comment.start
        and comment.end <= span.end
        and not any(one.start <= comment.start and comment.end <= one.end for one in left)
    ]
    if not found:
        return
    nodes = (at, *program.ancestors(at))
    host = next(
        (one for one in nodes if isinstance(one, ast.stmt) and begins_line(program, one)), None
    )
    if host is None:
        raise NotPossible
    for comment in found:
        patch.before(host, program.text.slice(comment))


def remove_statement(patch: Patch, statement: ast.stmt) -> None:
    """Take a statement away that is not the only one of its block; its comments stay."""
    program = patch.program
    text = program.text
    start, end = program.span(statement)
    last = text.line_index(end)
    line = text.line_span(last)
    rest = text.content[end : line.end].strip()
    if not begins_line(program, statement) or (rest and not rest.startswith("#")):
        raise NotPossible
    first = text.line_starts[text.line_index(start)]
    after = text.line_starts[last + 1] if last + 1 < text.line_count() else line.end
    lift_comments(patch, statement, Span(first, line.end))
    patch.replace_span(Span(first, after), "")
