"""Diagnostics in the protocol's words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lsprotocol import types

from jaxref.diagnostics.model import Diagnostic, Related, Severity
from jaxref.diagnostics.report import rule_url
from jaxref.engine import Analysis
from jaxref.lsp.conversion import lenient_converter
from jaxref.lsp.documents import Module
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_range
from jaxref.lsp.rulebook import LEFT_TO_OTHERS, tags_of
from jaxref.lsp.uris import uri_of
from jaxref.source.text import Span

SOURCE = "jaxref"

_SEVERITIES: Mapping[Severity, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


def shown(analysis: Analysis) -> list[Diagnostic]:
    """The diagnostics that an editor shows, in their order."""
    return [one for one in analysis.diagnostics if one.rule not in LEFT_TO_OTHERS]


def converted(
    module: Module,
    analysis: Analysis,
    features: Features,
    open_uri: Callable[[str], str | None],
) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics of a module by the client's documents; every part is in, also without any.

    `open_uri` gives the URI by which the client knows a file that it has open.
    """
    by_part: dict[str, list[types.Diagnostic]] = {part.uri: [] for part in module.parts}
    for diagnostic in shown(analysis):
        placed = module.place(diagnostic.span)
        if placed is not None:
            by_part[placed[0].uri].append(convert(module, analysis, diagnostic, features, open_uri))
    return by_part


def convert(
    module: Module,
    analysis: Analysis,
    diagnostic: Diagnostic,
    features: Features,
    open_uri: Callable[[str], str | None],
) -> types.Diagnostic:
    """One diagnostic as the client gets it; `module` has at least one part."""
    placed = module.place(diagnostic.span)
    assert placed is not None
    part, span = placed
    made = types.Diagnostic(
        range=to_range(part.text, span, features.encoding),
        message=f"{_cell(module, diagnostic.span)}{diagnostic.message}",
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.rule,
        source=SOURCE,
    )
    if features.code_description:
        made.code_description = types.CodeDescription(rule_url(diagnostic.rule))
    tags = [tag for tag in tags_of(diagnostic.rule) if int(tag) in features.diagnostic_tags]
    if tags:
        made.tags = tags
    if features.related_information:
        related = [
            information
            for one in diagnostic.related
            if (information := _related(module, analysis, one, features, open_uri)) is not None
        ]
        made.related_information = related or None
    if features.diagnostic_data:
        made.data = {
            "rule": diagnostic.rule,
            "fingerprint": _digest([diagnostic.rule, diagnostic.message, part.text.slice(span)]),
        }
    return made


def _cell(module: Module, span: Span) -> str:
    """Where it is in a notebook's file, whose own lines tell nobody anything."""
    if module.document is None or module.document.notebook is None:
        return ""
    place = module.document.place(span.start)
    return f"cell {place.cell}, line {place.line}: "


def result_id(diagnostics: Sequence[types.Diagnostic]) -> str:
    """The same for the same diagnostics, as they are sent; another one otherwise."""
    return _digest([lenient_converter().unstructure(one) for one in diagnostics])


def _digest(value: Any) -> str:
    written = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:32]


def _related(
    module: Module,
    analysis: Analysis,
    related: Related,
    features: Features,
    open_uri: Callable[[str], str | None],
) -> types.DiagnosticRelatedInformation | None:
    if related.path == module.snapshot.path:
        placed = module.place(related.span)
        if placed is None:
            return None
        part, span = placed
        uri, text = part.uri, part.text
    else:
        other = analysis.texts.get(related.path)
        if other is None:
            return None
        uri, text, span = open_uri(related.path) or uri_of(related.path), other, related.span
    where = types.Location(uri, to_range(text, span, features.encoding))
    return types.DiagnosticRelatedInformation(where, related.message)
