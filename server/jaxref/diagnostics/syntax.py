"""Broken syntax as findings."""

from __future__ import annotations

from collections.abc import Iterable

from jaxref.diagnostics.model import Diagnostic
from jaxref.source.parsing import SyntaxProblem

SYNTAX_ERROR = "syntax-error"


def syntax_diagnostics(path: str, problems: Iterable[SyntaxProblem]) -> tuple[Diagnostic, ...]:
    """One error for each of `problems`, in the words of Python's own parser."""
    return tuple(
        Diagnostic(path, SYNTAX_ERROR, "error", problem.message, problem.span)
        for problem in problems
    )
