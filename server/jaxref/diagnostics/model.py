"""What is told of a place: diagnostics and descriptions as values, independent of who shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jaxref.fixes.model import Fix
from jaxref.source.text import Span

Severity = Literal["error", "warning", "info", "hint"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "hint")
"""From the loudest to the quietest."""


@dataclass(frozen=True, slots=True)
class Related:
    """A further place that matters, in this or another file; `span` counts in that file's text."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found in one file.

    `span` counts in the analysed text of `path` (`Analysis.texts[path]`). `message` stands alone on
    one line. `fixes` are ordered, the preferred one first.
    """

    path: str
    rule: str
    severity: Severity
    message: str
    span: Span
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True, slots=True)
class Described:
    """What a hover shows of the expression at `span`: Markdown, and a one-line form for `reveal`."""

    span: Span
    kind: str
    line: str
    markdown: str
