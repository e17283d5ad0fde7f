"""Where the findings of a run go, and in which form."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence

from jaxref import __version__
from jaxref.cli.width import terminal_width
from jaxref.diagnostics.full import as_concise, as_full
from jaxref.diagnostics.model import Severity
from jaxref.diagnostics.report import Finding
from jaxref.diagnostics.terminal import Style

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from jaxref.diagnostics.sarif import RuleHelp

AT_ONCE = ("full", "concise", "json-lines")
"""Formats that are written file by file."""


def style_for(choice: str, stream: IO[str]) -> Style:
    """The style for `stream`: the user's choice, else what the environment and the stream say."""
    colour = choice == "always" or (choice == "auto" and _wants_colour(stream))
    return Style(colour, links=colour and stream.isatty(), wrap=stream.isatty())


def _wants_colour(stream: IO[str]) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        if os.environ.get(name, "0") not in ("", "0"):
            return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def rendered(
    findings: Sequence[Finding],
    output_format: str,
    style: Style,
    files: Sequence[str] = (),
    problems: Sequence[tuple[str, str]] = (),
) -> str:
    """`findings` in `output_format`; `files` are all that were checked, `problems` the paths that
    could not be, with the reason."""
    match output_format:
        case "full":
            width = terminal_width(120)
            return "".join(as_full([finding], style, width) + "\n" for finding in findings)
        case "concise":
            return as_concise(findings, style)
    from jaxref.diagnostics import records

    match output_format:
        case "json":
            return records.as_json(findings)
        case "json-lines":
            return records.as_json_lines(findings)
        case "github":
            return records.as_github(findings)
        case "gitlab":
            return records.as_gitlab(findings)
        case "junit":
            return records.as_junit(findings, files)
        case _:
            from jaxref.diagnostics.sarif import as_sarif

            return as_sarif(findings, __version__, _told_of(findings), problems)


def _told_of(findings: Sequence[Finding]) -> dict[str, RuleHelp]:
    """What to tell of the rules of `findings`."""
    from jaxref.cli.pages import in_short, listed_rules, page_of
    from jaxref.diagnostics.sarif import RuleHelp

    found = {finding.rule for finding in findings}
    return {
        rule.name: RuleHelp(rule.summary, rule.severity, in_short(page_of(rule.name) or ""))
        for rule in listed_rules()
        if rule.name in found
    }


def statistics(findings: Sequence[Finding], output_format: str) -> str:
    """How many findings each rule has, the most frequent first."""
    counts = Counter((finding.rule, finding.severity) for finding in findings)
    fixable = Counter(
        (finding.rule, finding.severity)
        for finding in findings
        if any(remedy.applicability == "safe" for remedy in finding.remedies)
    )
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    if output_format in ("json", "json-lines"):
        import json

        records = [
            {"rule": rule, "severity": severity, "count": count}
            | {"fixable": fixable[rule, severity]}
            for (rule, severity), count in rows
        ]
        return json.dumps(records, indent=2) + "\n"
    return "".join(
        f"{count:>6}  {severity:<7}  {rule}"
        + (f"  ({fixable[rule, severity]} with a safe fix)" if fixable[rule, severity] else "")
        + "\n"
        for (rule, severity), count in rows
    )


def summary(findings: Sequence[Finding], files: int, done: Mapping[str, int], style: Style) -> str:
    """The last line of a run for people; `done` counts what was done to problems, by the verb."""
    counts = Counter(finding.severity for finding in findings)
    names: dict[Severity, str] = {
        "error": "error",
        "warning": "warning",
        "info": "note",
        "hint": "hint",
    }
    parts = [
        counted(counts[severity], name) for severity, name in names.items() if counts[severity]
    ]
    start = "".join(
        f"{verb} {counted(number, 'problem')}, " for verb, number in done.items() if number
    )
    if not parts:
        return f"{start}nothing found in {counted(files, 'file')}\n"
    found = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    safe = sum(_has_fix(finding, "safe") for finding in findings)
    unsafe = sum(
        _has_fix(finding, "unsafe") and not _has_fix(finding, "safe") for finding in findings
    )
    remedies = []
    if safe:
        remedies.append(f"{safe} can be fixed by --fix")
    if unsafe:
        remedies.append(f"{unsafe}{' more' if safe else ' can be fixed'} with --fix --unsafe-fixes")
    tail = f" ({', '.join(remedies)})" if remedies else ""
    return f"{start}{style.paint('found ' + found, 'bold')} in {counted(files, 'file')}{tail}\n"


def _has_fix(finding: Finding, applicability: str) -> bool:
    return any(remedy.applicability == applicability for remedy in finding.remedies)


def counted(number: int, noun: str) -> str:
    """`number` with `noun` in the singular or plural."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
