"""Where a page, jaxref and JAX disagree, in words; an empty list means that they agree."""

from __future__ import annotations

import ast
import difflib
from collections import Counter
from collections.abc import Iterator

from harness.markdown import FINDINGS, Fence, without_expectations
from harness.oracle import Claim, Run
from jaxref.diagnostics.model import Diagnostic
from jaxref.engine import Analysis, Snapshot, analyse
from jaxref.fixes.apply import apply_edits
from jaxref.fixes.model import Fix
from jaxref.settings import Settings
from jaxref.source.text import Span, Text

LONGEST_SPAN = 15
"""Lines. A longer span covers everything and says nothing."""

SECTIONS = ("What it does", "Why", "What to write instead", "Examples")


def analysed(text: str, name: str, version: str) -> Analysis:
    """What jaxref says of a program for a JAX version, as if the file stood alone on disk."""
    numbers = tuple(int(part) for part in version.split(".") if part.isdigit())
    return analyse(Snapshot(f"/rule-pages/{name}.py", text), Settings(jax_version=numbers))


def of_fence(fence: Fence, version: str) -> Analysis:
    """What jaxref says of a fence."""
    name = f"{fence.page.removesuffix('.md').replace('-', '_')}_{fence.line}"
    return analysed(fence.text, name, version)


def page_complaints(fence: Fence) -> Iterator[str]:
    """What is wrong with a fence's own claims, before anybody is asked."""
    known = {kind for e in fence.expectations for kind in [e.kind]}
    for e in fence.expectations:
        if e.kind == "warning" and not known & {"wrong", "raises"}:
            yield f"{fence.place(e.line)}: a warning, but no `wrong` or `raises` shows the harm"
        if e.kind == "wrong" and not known & {"warning", "error", "misses", "info", "hint"}:
            yield f"{fence.place(e.line)}: a `wrong` result that nothing is said to find"


def analysis_complaints(fence: Fence, analysis: Analysis, version: str) -> Iterator[str]:
    """Where jaxref's findings differ from the fence's expectations or from its raises."""
    text = Text(analysis.snapshot.text)
    unclaimed = [d for d in analysis.diagnostics if d.path == analysis.snapshot.path]
    for wanted in fence.expected(version, *FINDINGS):
        found = next(
            (
                d
                for d in unclaimed
                if d.rule == wanted.subject
                and d.severity == wanted.kind
                and text.position(d.span.start).line == wanted.line
                and wanted.part in d.message
            ),
            None,
        )
        if found is not None:
            unclaimed.remove(found)
            continue
        part = f' "{wanted.part}"' if wanted.part else ""
        yield f"{fence.place(wanted.line)}: not found: {wanted.kind}: [{wanted.subject}]{part}"
    for d in unclaimed:
        line = text.position(d.span.start).line
        if line >= fence.first:
            yield f"{fence.place(line)}: unexpected {d.severity}: [{d.rule}] {d.message}"
    yield from _gaps_closed(fence, analysis, text, version)
    yield from _raises_unexplained(fence, analysis, text, version)
    yield from _not_revealed(fence, analysis, text, version)


def _gaps_closed(fence: Fence, analysis: Analysis, text: Text, version: str) -> Iterator[str]:
    raising = {e.line for e in fence.expected(version, "raises")}
    for gap in fence.expected(version, "misses"):
        closing = ("error",) if gap.line in raising else ("error", "warning")
        for d in analysis.diagnostics:
            if d.severity in closing and d.rule == gap.subject and _covers(text, d, gap.line):
                yield f"{fence.place(gap.line)}: no longer missed: [{d.rule}] {d.message}"


def _raises_unexplained(
    fence: Fence, analysis: Analysis, text: Text, version: str
) -> Iterator[str]:
    """A raise needs an error finding that covers its line, and an error finding such a raise."""
    errors = [d for d in analysis.diagnostics if d.severity == "error"]
    raises = fence.expected(version, "raises")
    gaps = {e.line for e in fence.expected(version, "misses")}
    for e in raises:
        if e.line not in gaps and not any(_covers(text, d, e.line) for d in errors):
            yield f"{fence.place(e.line)}: JAX raises {e.subject}, but no error covers the line"
    for d in errors:
        if not any(_covers(text, d, e.line) for e in raises):
            line = text.position(d.span.start).line
            yield f"{fence.place(line)}: an error on code that runs: [{d.rule}] {d.message}"


def _covers(text: Text, d: Diagnostic, line: int) -> bool:
    def has(span: Span) -> bool:
        start, end = text.position(span.start).line, text.position(span.end).line
        return start <= line <= end and end - start <= LONGEST_SPAN

    return has(d.span) or any(has(r.span) for r in d.related if r.path == d.path)


def _not_revealed(fence: Fence, analysis: Analysis, text: Text, version: str) -> Iterator[str]:
    for wanted in fence.expected(version, "revealed"):
        known = [
            d.line for d in analysis.described() if text.position(d.span.start).line == wanted.line
        ]
        if not any(wanted.subject in line for line in known):
            yield f"{fence.place(wanted.line)}: not revealed: {wanted.subject}; known: {known}"


def claims(fence: Fence, version: str) -> list[Claim]:
    """What the oracle is to compare in a fence."""
    return [Claim(e.line, e.subject, e.part) for e in fence.expected(version, "wrong")]


def execution_complaints(fence: Fence, run: Run, version: str) -> Iterator[str]:
    """Where JAX does something else than the fence says."""
    if run.crashed is not None:
        yield f"{fence.place(fence.first)}: the program did not run to its end: {run.crashed}"
    wanted = fence.expected(version, "raises")
    for s in run.raised:
        match = next(
            (
                e
                for e in wanted
                if e.line == s.raised_at and e.subject == s.exception and e.part in s.message
            ),
            None,
        )
        if match is not None:
            wanted.remove(match)
            continue
        message = " ".join(s.message.split())[:300]
        yield f"{fence.place(s.raised_at)}: JAX raises {s.exception} here: {message!r}"
    for e in wanted:
        part = f' "{e.part}"' if e.part else ""
        yield f"{fence.place(e.line)}: JAX does not raise {e.subject}{part} here"
    checked = {(c.line, i): c for i, c in enumerate(run.claims)}
    for e in fence.expected(version, "wrong"):
        key = next((k for k in checked if k[0] == e.line), None)
        if key is None:
            yield f"{fence.place(e.line)}: the statement did not run, so nothing is wrong yet"
            continue
        c = checked.pop(key)
        if c.failed:
            yield f"{fence.place(e.line)}: {e.subject} cannot be evaluated: {c.failed}"
        elif c.same:
            yield f"{fence.place(e.line)}: {e.subject} is {c.value}, just as meant"


def fix_complaints(fence: Fence, version: str) -> Iterator[str]:
    """Where the fixes of the fence before give another text than this `fixed` fence."""
    assert fence.base is not None and fence.fixes is not None
    text, wanted = without_expectations(fence.base.text), without_expectations(fence.text)
    applied = 0
    while applied < 20:
        fix = _next_fix(analysed(text, "before_fix", version), fence.fixes)
        if fix is None:
            break
        text, applied = apply_edits(text, fix.edits), applied + 1
    what = f'"{fence.fixes}"' if fence.fixes else "the preferred fix"
    if not applied:
        yield f"{fence.place(fence.first)}: {what} is not offered for the fence before"
    elif text != wanted:
        yield f"{fence.place(fence.first)}: {what} gives another text:\n{_beside(wanted, text)}"


def _next_fix(analysis: Analysis, prefix: str) -> Fix | None:
    for d in analysis.diagnostics:
        for fix in d.fixes:
            if fix.title.startswith(prefix) if prefix else fix.preferred:
                return fix
    return None


def _beside(wanted: str, given: str) -> str:
    lines = difflib.unified_diff(
        wanted.splitlines(), given.splitlines(), "the page", "the fix", lineterm=""
    )
    return "\n".join(lines)


def offered_fixes(analysis: Analysis) -> Iterator[tuple[Diagnostic, Fix, str]]:
    """Each finding with each of its fixes that can be applied, and the text after it."""
    for d in analysis.diagnostics:
        for fix in d.fixes:
            if fix.edits and fix.applicability != "display":
                yield d, fix, apply_edits(analysis.snapshot.text, fix.edits)


def _was_hidden(before: Analysis, d: Diagnostic, after: Analysis, rule: str) -> bool:
    """Whether a warning stands on the call that an error stood on: where JAX raises, nothing else counts."""
    call = before.snapshot.text[slice(*d.span)].partition("(")[0]
    return d.severity == "error" and any(
        one.rule == rule and after.snapshot.text[slice(*one.span)].partition("(")[0] == call
        for one in after.diagnostics
    )


def offered_fix_complaints(
    before: Analysis, d: Diagnostic, fix: Fix, after: Analysis, run: Run | None
) -> Iterator[str]:
    """What an offered fix must hold to: it parses, its finding is gone, none is new, and it runs.

    The fixed program may raise only where jaxref finds an error in it. `run` is None without JAX.
    """
    what = f"[{d.rule}] {fix.title!r}"
    fixed = after.snapshot.text
    try:
        ast.parse(fixed)
    except SyntaxError as error:
        yield f"{what} gives what does not parse: {error}\n{fixed}"
        return
    known = Counter((one.rule, one.severity) for one in before.diagnostics)
    left = Counter((one.rule, one.severity) for one in after.diagnostics)
    if left[d.rule, d.severity] >= known[d.rule, d.severity]:
        yield f"{what} leaves its finding\n{fixed}"
    for rule, severity in left - known:
        if severity == "warning" and _was_hidden(before, d, after, rule):
            continue
        yield f"{what} brings a new {severity}: [{rule}]\n{fixed}"
    if run is None:
        return
    if run.crashed is not None:
        yield f"{what}: the fixed program did not run to its end: {run.crashed}\n{fixed}"
    text = Text(fixed)
    errors = [one for one in after.diagnostics if one.severity == "error"]
    lines = fixed.splitlines()
    for s in run.raised:
        if s.exception == "AssertionError" and "assert " in lines[s.raised_at - 1]:
            # It speaks of the program as it was.
            continue
        if not any(_covers(text, one, s.raised_at) for one in errors):
            message = " ".join(s.message.split())[:200]
            yield f"{what}: line {s.raised_at} raises {s.exception}: {message!r}\n{fixed}"
