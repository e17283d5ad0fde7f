"""Findings in places for people: what every output format starts from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from jaxref.diagnostics.model import Diagnostic, Related, Severity
from jaxref.fixes.model import Applicability, Edit, Fix
from jaxref.quick_dataclasses import dataclass
from jaxref.source.documents import Document, Place, document_of
from jaxref.source.text import Span, Text

INTERNAL_ERROR = "internal-error"


def rule_url(rule: str) -> str:
    """The web page about `rule`."""
    return f"https://jaxref.readthedocs.io/rules/{rule}"


def in_slashes(path: str) -> str:
    """`path` as services and other systems write it."""
    return path if os.sep == "/" else path.replace(os.sep, "/")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A span in a file as it is shown: `path` as the user wrote it, `end` exclusive."""

    path: str
    start: Place
    end: Place

    @property
    def shown_path(self) -> str:
        """The path with the cell, for a notebook."""
        return self.path if self.start.cell is None else f"{self.path}:cell {self.start.cell}"

    def __str__(self) -> str:
        return f"{self.shown_path}:{self.start.line}:{self.start.column}"


@dataclass(frozen=True, slots=True)
class Note:
    """A further place of a finding; with `after` the program comes there after the finding's own."""

    where: Stretch
    message: str
    document: Document | None
    span: Span
    after: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One edit of a remedy, in the text that is shown (for a notebook, that of the cell)."""

    where: Stretch
    text: str


@dataclass(frozen=True, slots=True)
class Remedy:
    """A fix with its edits in places for people."""

    title: str
    applicability: Applicability
    changes: tuple[Change, ...]
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic of one file. `file_line` and `file_column` count in the file itself.

    They differ from `where` only in a notebook, where they are those of the JSON text.
    """

    where: Stretch
    rule: str
    severity: Severity
    message: str
    document: Document
    span: Span
    file_line: int
    file_column: int
    notes: tuple[Note, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    suppressed: bool = False
    """True when a comment silences it and it is shown all the same."""

    @property
    def url(self) -> str:
        """The web page about its rule."""
        return rule_url(self.rule)


def findings_of(
    shown_path: str,
    document: Document,
    diagnostics: Sequence[Diagnostic],
    texts: Mapping[str, Text],
    shown: Callable[[str], str] = lambda path: path,
) -> tuple[Finding, ...]:
    """The `diagnostics` of one file whose module is `document`'s.

    `texts` holds the texts of the other files they speak of, `shown` gives the name to print for
    such a file.
    """
    return tuple(
        _finding(shown_path, document, diagnostic, texts, shown) for diagnostic in diagnostics
    )


def failure_of(shown_path: str, reason: str) -> Finding:
    """The finding that says that jaxref itself failed on a file, at the file's start."""
    start = Place(None, 1, 1)
    return Finding(
        where=Stretch(shown_path, start, start),
        rule=INTERNAL_ERROR,
        severity="error",
        message=reason,
        document=document_of(""),
        span=Span(0, 0),
        file_line=1,
        file_column=1,
    )


def _finding(
    shown_path: str,
    document: Document,
    diagnostic: Diagnostic,
    texts: Mapping[str, Text],
    shown: Callable[[str], str],
) -> Finding:
    line, column = document.file_position(diagnostic.span.start)
    return Finding(
        where=stretch_of(shown_path, document, diagnostic.span),
        rule=diagnostic.rule,
        severity=diagnostic.severity,
        message=diagnostic.message,
        document=document,
        span=diagnostic.span,
        file_line=line,
        file_column=column,
        notes=tuple(
            _note(shown_path, document, diagnostic.path, related, texts, shown)
            for related in diagnostic.related
        ),
        remedies=tuple(_remedy(shown_path, document, fix) for fix in diagnostic.fixes),
        suppressed=diagnostic.suppressed,
    )


def _note(
    shown_path: str,
    document: Document,
    own_path: str,
    related: Related,
    texts: Mapping[str, Text],
    shown: Callable[[str], str],
) -> Note:
    if related.path == own_path:
        where = stretch_of(shown_path, document, related.span)
        return Note(where, related.message, document, related.span, related.after)
    text = texts.get(related.path)
    if text is None:
        start = Place(None, 1, 1)
        where = Stretch(shown(related.path), start, start)
        return Note(where, related.message, None, related.span, related.after)
    other = Document("module", text, text)
    where = stretch_of(shown(related.path), other, related.span)
    return Note(where, related.message, other, related.span, related.after)


def _remedy(shown_path: str, document: Document, fix: Fix) -> Remedy:
    return Remedy(
        fix.title,
        fix.applicability,
        tuple(Change(stretch_of(shown_path, document, edit.span), edit.text) for edit in fix.edits),
        fix.edits,
    )


def stretch_of(shown_path: str, document: Document, span: Span) -> Stretch:
    """The module's `span` as it is shown."""
    start = document.place(span.start)
    end = document.place(span.end) if span.end > span.start else start
    if end.cell != start.cell:
        end = start
    return Stretch(shown_path, start, end)
