"""Findings as SARIF 2.1.0, the format of code scanning services."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

from jaxref.diagnostics.model import Severity
from jaxref.diagnostics.records import fingerprints
from jaxref.diagnostics.report import Finding, Note, Stretch
from jaxref.quick_dataclasses import dataclass
from jaxref.source.parsing import parse, span_of
from jaxref.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Json = dict[str, "Any"]

_LEVELS: dict[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "info": "note",
    "hint": "note",
}


@dataclass(frozen=True, slots=True)
class RuleHelp:
    """What is told of a rule: a line, its own severity, and its page in Markdown."""

    summary: str
    severity: Severity
    page: str


def as_sarif(
    findings: Sequence[Finding],
    version: str,
    rules: Mapping[str, RuleHelp],
    problems: Sequence[tuple[str, str]] = (),
) -> str:
    """The log of one run. `rules` has those of the findings at least, `problems` has the paths that
    could not be checked as asked, with the reason."""
    names = sorted({finding.rule for finding in findings})
    urls = {finding.rule: finding.url for finding in findings}
    results = [
        _result(finding, names.index(finding.rule), fingerprint)
        for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
    ]
    driver = {
        "name": "jaxref",
        "version": version,
        "semanticVersion": version,
        "informationUri": "https://jaxref.readthedocs.io",
        "rules": [_rule(name, urls[name], rules.get(name)) for name in names],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(problems)],
        "results": results,
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(name: str, url: str, told: RuleHelp | None) -> Json:
    if told is None:
        return {"id": name, "shortDescription": {"text": name}, "helpUri": url}
    return {
        "id": name,
        "shortDescription": {"text": told.summary},
        "fullDescription": {"text": told.summary},
        "help": {"text": f"{told.summary}\n\n{url}", "markdown": told.page},
        "helpUri": url,
        "defaultConfiguration": {"level": _LEVELS[told.severity]},
    }


def _invocation(problems: Sequence[tuple[str, str]]) -> Json:
    invocation: Json = {"executionSuccessful": not problems}
    if problems:
        invocation["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": f"{path}: {reason}"},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(path)}}}],
            }
            for path, reason in problems
        ]
    return invocation


def _result(finding: Finding, rule: int, fingerprint: str) -> Json:
    result: Json = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding.where, finding)],
        "partialFingerprints": {"jaxref/v1": fingerprint},
    }
    if finding.notes:
        result["relatedLocations"] = [
            {**_location(note.where), "id": index, "message": {"text": note.message}}
            for index, note in enumerate(finding.notes, 1)
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": _flow(finding)}]}]
    if finding.suppressed:
        result["suppressions"] = [{"kind": "inSource"}]
    fixes = [
        {
            "description": {"text": remedy.title},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": _uri(finding.where.path)},
                    "replacements": [
                        {
                            "deletedRegion": _region(change.where),
                            "insertedContent": {"text": change.text},
                        }
                        for change in remedy.changes
                    ],
                }
            ],
        }
        for remedy in finding.remedies
        if remedy.applicability != "display" and finding.where.start.cell is None
    ]
    if fixes:
        result["fixes"] = fixes
    return result


# -- the way of the ref ----------------------------------------------------------------------------


def _flow(finding: Finding) -> list[Json]:
    """The places on the way to the finding, as the program comes there, the finding among them."""
    before, after = _in_order(finding)
    own = {"location": _step(finding.where, finding.message, finding), "importance": "essential"}
    return [*map(_note_step, before), own, *map(_note_step, after)]


def _note_step(note: Note) -> Json:
    return {"location": _step(note.where, note.message)}


def _in_order(finding: Finding) -> tuple[list[Note], list[Note]]:
    """The notes that come before the finding, and those after it.

    A place outside of the functions that the finding stands in comes before those inside: it is what
    led there, or what they close over. Places side by side come in the order of the text.
    """
    own = [note for note in finding.notes if note.document is finding.document and not note.after]
    others = [note for note in finding.notes if note not in own and not note.after]
    at = finding.span.start
    around = [body for body in _bodies(finding.document.module) if body.start <= at < body.end]
    own.sort(
        key=lambda note: (
            sum(body.start <= note.span.start < body.end for body in around),
            note.span.start,
        )
    )
    return [*others, *own], [note for note in finding.notes if note.after]


@lru_cache(maxsize=1)
def _bodies(text: Text) -> list[Span]:
    """The bodies of all functions. Decorators and defaults stand outside."""
    found = []
    for node in ast.walk(parse(text.content).tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = Span(span_of(node.body[0], text).start, span_of(node.body[-1], text).end)
        elif isinstance(node, ast.Lambda):
            body = span_of(node.body, text)
        else:
            continue
        found.append(body)
    return found


def _step(where: Stretch, message: str, finding: Finding | None = None) -> Json:
    return {**_location(where, finding), "message": {"text": message}}


# -- places ----------------------------------------------------------------------------------------


def _location(where: Stretch, finding: Finding | None = None) -> Json:
    region = _region(where)
    if where.start.cell is not None and finding is not None:
        region = {"startLine": finding.file_line, "startColumn": finding.file_column}
    elif where.start.cell is not None:
        return {"physicalLocation": {"artifactLocation": {"uri": _uri(where.path)}}}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(where.path)}, "region": region}}


def _region(where: Stretch) -> Json:
    return {
        "startLine": where.start.line,
        "startColumn": where.start.column,
        "endLine": where.end.line,
        "endColumn": where.end.column,
    }


def _uri(path: str) -> str:
    from pathlib import PurePath
    from urllib.parse import quote

    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    return quote(pure.as_posix(), errors="surrogateescape")
