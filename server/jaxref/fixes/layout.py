"""What a fix writes again in another place, whatever its layout."""

from __future__ import annotations

import ast

from jaxref.fixes.program import Program


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
