"""A diagnostic as a value, independent of who shows it."""

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
