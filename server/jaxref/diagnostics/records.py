"""Findings for machines: JSON, GitHub and GitLab annotations, JUnit. SARIF has a module of its own."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from html import escape

from jaxref.diagnostics.model import Severity
from jaxref.diagnostics.report import Finding, Stretch, in_slashes
from jaxref.source.documents import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Json = dict[str, "Any"]


def as_json(findings: Sequence[Finding]) -> str:
    """One array of objects."""
    if not findings:
        return "[]\n"
    records = ",\n".join(json.dumps(record, indent=2) for record in _json_records(findings))
    return f"[\n{records}\n]\n"


def as_json_lines(findings: Sequence[Finding]) -> str:
    """One object a line."""
    return "".join(json.dumps(record) + "\n" for record in _json_records(findings))


def _json_records(findings: Sequence[Finding]) -> list[Json]:
    return [
        json_record(finding, fingerprint)
        for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
    ]


JSON_VERSION = 1
"""Of the form of the records. It grows when a field goes or changes its meaning, not when one is added."""


def json_record(finding: Finding, fingerprint: str) -> Json:
    """One finding. Lines and columns count from 1, columns in code points, ends are exclusive.

    `docs/schema/findings.json` describes it.
    """
    return {
        "version": JSON_VERSION,
        "path": finding.where.path,
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        **_json_range(finding.where),
        "cell": finding.where.start.cell,
        "url": finding.url,
        "fingerprint": fingerprint,
        "suppressed": finding.suppressed,
        "related": [
            {"path": note.where.path, **_json_range(note.where), **_json_cell(note.where)}
            | {"message": note.message}
            for note in finding.notes
        ],
        "fixes": [
            {
                "title": remedy.title,
                "applicability": remedy.applicability,
                "edits": [
                    {"path": change.where.path, **_json_range(change.where)}
                    | _json_cell(change.where)
                    | {"text": change.text}
                    for change in remedy.changes
                ],
            }
            for remedy in finding.remedies
        ],
    }


def _json_range(where: Stretch) -> Json:
    return {"start": _json_place(where.start), "end": _json_place(where.end)}


def _json_place(place: Place) -> Json:
    return {"line": place.line, "column": place.column}


def _json_cell(where: Stretch) -> Json:
    return {} if where.start.cell is None else {"cell": where.start.cell}


_GITHUB: dict[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "info": "notice",
    "hint": "notice",
}


def as_github(findings: Sequence[Finding]) -> str:
    """Workflow commands. A notebook's finding stands at its line of the JSON and names the cell."""
    lines = []
    for finding in findings:
        where = finding.where
        place = f"line={finding.file_line},col={finding.file_column}"
        if where.start.cell is None:
            place += f",endLine={where.end.line}"
            if where.end.line == where.start.line:
                place += f",endColumn={where.end.column}"
        title = _github_property(f"jaxref ({finding.rule})")
        path = _github_property(in_slashes(where.path))
        message = _github_data(f"{where}: {finding.message}")
        lines.append(
            f"::{_GITHUB[finding.severity]} file={path},{place},title={title}::{message}\n"
        )
    return "".join(lines)


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


_GITLAB: dict[Severity, str] = {
    "error": "major",
    "warning": "minor",
    "info": "info",
    "hint": "info",
}


def as_gitlab(findings: Sequence[Finding]) -> str:
    """A Code Quality report."""
    records = [
        {
            "check_name": finding.rule,
            "description": f"{finding.rule}: {finding.message}",
            "severity": _GITLAB[finding.severity],
            "fingerprint": fingerprint,
            "location": {
                "path": in_slashes(finding.where.path),
                "positions": {
                    "begin": {"line": finding.file_line, "column": finding.file_column},
                    "end": {"line": finding.file_line, "column": finding.file_column}
                    if finding.where.start.cell is not None
                    else _json_place(finding.where.end),
                },
            },
        }
        for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
    ]
    return json.dumps(records, indent=2) + "\n"


def fingerprints(findings: Sequence[Finding], path: str | None = None) -> list[str]:
    """A name for each finding that stays when its code moves: made of path, rule, message and the
    code itself, and of a count where these are equal. `path` is for findings of one file, to name it
    in another way than it is shown."""
    seen: Counter[str] = Counter()
    made = []
    for finding in findings:
        code = " ".join(finding.document.module.slice(finding.span).split())
        shown = finding.where.path if path is None else path
        key = "\0".join((in_slashes(shown), finding.rule, finding.message, code))
        seen[key] += 1
        digest = hashlib.sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass"))
        made.append(digest.hexdigest()[:32])
    return made


def as_junit(findings: Sequence[Finding], files: Sequence[str]) -> str:
    """A test suite a file; a file with nothing found is a passed test."""
    by_path: dict[str, list[Finding]] = {path: [] for path in files}
    for finding in findings:
        by_path.setdefault(finding.where.path, []).append(finding)
    failures = sum(map(_fails, findings))
    total = sum(max(1, len(found)) for found in by_path.values())
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="jaxref" tests="{total}" failures="{failures}" errors="0">',
    ]
    for path, found in by_path.items():
        failed = sum(map(_fails, found))
        lines.append(
            f'  <testsuite name={_attribute(path)} tests="{max(1, len(found))}"'
            f' failures="{failed}" errors="0">'
        )
        if not found:
            lines.append(
                f"    <testcase name={_attribute(path)} classname={_attribute(path)}"
                f' file={_attribute(path)} time="0"/>'
            )
        for finding in found:
            name = f"{finding.rule} at {finding.where}"
            lines.append(
                f"    <testcase name={_attribute(name)} classname={_attribute(path)}"
                f' file={_attribute(path)} line="{finding.file_line}" time="0">'
            )
            element = "failure" if _fails(finding) else "system-out"
            opening = (
                f"failure type={_attribute(finding.rule)} message={_attribute(finding.message)}"
                if _fails(finding)
                else element
            )
            text = escape(_printable(f"{finding.where}: {finding.message}"), quote=False)
            lines.append(f"      <{opening}>{text}</{element}>")
            lines.append("    </testcase>")
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


def _fails(finding: Finding) -> bool:
    return finding.severity in ("error", "warning")


def _attribute(text: str) -> str:
    escaped = escape(_printable(text))
    for char in "\t\n\r":
        escaped = escaped.replace(char, f"&#{ord(char)};")
    return f'"{escaped}"'


def _printable(text: str) -> str:
    """`text` without the characters that XML 1.0 cannot hold."""
    return "".join(
        char
        if char in "\t\n\r"
        or (char >= " " and not "\ud800" <= char <= "\udfff" and char < "\ufffe")
        or char > "\uffff"
        else "\ufffd"
        for char in text
    )
