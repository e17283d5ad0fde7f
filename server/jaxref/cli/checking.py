"""One file checked: read, analysed, its findings in places for people; and fixed."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Collection, Sequence

from jaxref import engine
from jaxref.cli.loading import Checked, Loaded
from jaxref.diagnostics.meant import as_meant
from jaxref.diagnostics.model import Diagnostic, Severity
from jaxref.diagnostics.report import findings_of
from jaxref.diagnostics.syntax import SYNTAX_ERROR, syntax_diagnostics
from jaxref.engine import Analysis, Snapshot
from jaxref.fixes.model import Applicability, Edit, Fix
from jaxref.quick_dataclasses import replace
from jaxref.relevance import mentions_refs
from jaxref.settings import Settings
from jaxref.source.documents import Document, document_of
from jaxref.source.parsing import SyntaxProblem, parse
from jaxref.source.text import Replacement, Span, replaced
from jaxref.source.wellformed import is_surely_python
from jaxref.targets import shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.fixes.apply import Fixed


def check_content(
    loaded: Loaded, content: str, settings: Settings, shown: str, keep: bool = False
) -> Checked:
    """Check `content` in the place of what was loaded. Raises `Unreadable` for a broken notebook.

    With `keep` the result comes in a form to keep, too.
    """
    started = time.time_ns()
    document = document_of(content, loaded.kind)
    analysis, diagnostics = _diagnosed(loaded.target.path, document, settings)
    findings = findings_of(shown, document, diagnostics, analysis.texts, shown_path)
    kept = None
    if keep:
        from jaxref.cli.kept import kept_of

        kept = kept_of(content, loaded.kind, settings, analysis, diagnostics, started)
    others = analysis.dependencies
    if analysis.missing:
        from jaxref.cli.kept import topmost_absent

        others |= set(map(topmost_absent, analysis.missing))
    return Checked(loaded.target, findings, analysis.incomplete, analysis.failures, kept, others)


def fix_content(
    loaded: Loaded,
    settings: Settings,
    allowed: frozenset[Applicability],
) -> Fixed:
    """The loaded file with its fixes. Raises `Unreadable` for a broken notebook."""

    def fixable(content: str) -> Sequence[Diagnostic]:
        document = document_of(content, loaded.kind)
        _, diagnostics = _diagnosed(loaded.target.path, document, settings)
        return [
            replace(diagnostic, fixes=_fixes_of_file(document, diagnostic.fixes))
            for diagnostic in diagnostics
            if diagnostic.fixes
        ]

    def parses(content: str) -> bool:
        return not parse(document_of(content, loaded.kind).module.content).errors

    from jaxref.fixes.apply import fix_text

    return fix_text(loaded.file.content, fixable, parses, allowed)


def silence_content(
    loaded: Loaded, content: str, settings: Settings, severities: Collection[Severity]
) -> tuple[str, int]:
    """`content` with comments that silence the findings of these severities, and their number.

    Left out is what no comment on a line can silence, and what would break the file.
    """
    from jaxref.diagnostics.suppressing import BARE_IGNORE, UNUSED_IGNORE
    from jaxref.fixes.silencing import silencing_edits

    document = document_of(content, loaded.kind)
    _, diagnostics = _diagnosed(loaded.target.path, document, settings)
    found = [
        (diagnostic.rule, diagnostic.span.start)
        for diagnostic in diagnostics
        if diagnostic.severity in severities
        and diagnostic.rule not in (SYNTAX_ERROR, UNUSED_IGNORE, BARE_IGNORE)
    ]
    edits: list[Replacement] = []
    for edit in silencing_edits(document.module, found):
        with contextlib.suppress(ValueError):
            edits += document.file_edits([Replacement(edit.span, edit.text)])
    if not edits:
        return content, 0
    silenced = replaced(content, edits)
    after = document_of(silenced, loaded.kind)
    if parse(after.module.content).errors and not parse(document.module.content).errors:
        return content, 0
    _, left = _diagnosed(loaded.target.path, after, settings)
    remaining = Counter(diagnostic.rule for diagnostic in left if diagnostic.severity in severities)
    gone = Counter(
        diagnostic.rule for diagnostic in diagnostics if diagnostic.severity in severities
    )
    return silenced, (gone - remaining).total()


def _diagnosed(
    path: str, document: Document, settings: Settings
) -> tuple[Analysis, list[Diagnostic]]:
    analysis = engine.analyse(Snapshot(path, document.module.content), settings)
    diagnostics = [
        as_meant(found, document.is_meant_to_fail(found.span.start))
        for found in analysis.diagnostics
        if found.path == path
    ]
    if document.kind != "page" and settings.enabled(SYNTAX_ERROR):
        problems = _syntax_problems(document.module.content)
        ignored = bool(problems) and _ignores_file(document)
        if problems and not (settings.suppressions and ignored):
            severity = settings.severity_of(SYNTAX_ERROR, "error")
            diagnostics += [
                as_meant(
                    replace(broken, severity=severity, suppressed=ignored),
                    document.is_meant_to_fail(broken.span.start),
                )
                for broken in syntax_diagnostics(path, problems)
            ]
            diagnostics.sort(key=lambda found: found.span)
    if not settings.hints:
        diagnostics = [found for found in diagnostics if found.severity != "hint"]
    return analysis, diagnostics


def _syntax_problems(content: str) -> Sequence[SyntaxProblem]:
    # Where it mentions refs it was parsed for them.
    if not mentions_refs(content) and is_surely_python(content):
        return ()
    return parse(content).errors


def _ignores_file(document: Document) -> bool:
    from jaxref.source.suppressions import suppressions_in

    return any(
        comment.covers(SYNTAX_ERROR, 0) and comment.lines is None
        for comment in suppressions_in(document.module)
    )


def _fixes_of_file(document: Document, fixes: Sequence[Fix]) -> tuple[Fix, ...]:
    """`fixes` with edits that count in the file, with its line ends; without those that cannot be."""
    newline = "\n"
    if document.kind != "notebook" and "\r\n" in document.source.content:
        newline = "\r\n"
    made = []
    for fix in fixes:
        try:
            edits = document.file_edits([Replacement(edit.span, edit.text) for edit in fix.edits])
        except ValueError:
            continue
        made.append(
            replace(
                fix,
                edits=tuple(
                    Edit(Span(*edit.span), edit.text.replace("\r\n", "\n").replace("\n", newline))
                    for edit in edits
                ),
            )
        )
    return tuple(made)
