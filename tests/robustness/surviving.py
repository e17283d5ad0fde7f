"""What must hold of every text, whatever it is: no failure inside, bounded work, places in the file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from jaxref.cli.checking import Loaded, check_content
from jaxref.cli.options import OUTPUT_FORMATS
from jaxref.cli.output import rendered
from jaxref.diagnostics.suppressing import UNUSED_IGNORE
from jaxref.diagnostics.terminal import Style
from jaxref.engine import Analysis, Snapshot, analyse
from jaxref.fixes.apply import apply_edits
from jaxref.settings import Settings
from jaxref.source.documents import kind_of
from jaxref.source.parsing import parse
from jaxref.source.reading import SourceFile
from jaxref.source.text import Span
from jaxref.targets import Target

SETTINGS = Settings(jax_version=(0, 12))
PATH = "/nowhere/program.py"

MOST_CALLS = 20_000_000
"""Of Python functions for one analysis: over ten times what the greediest text here takes. A budget
that is not kept, and loops that do not end, are found with it on machines of any speed."""

MOST_FIXES = 20
"""Findings of one text whose fixes are applied, each alone; a text may have a finding in each of thousands of places."""

_TOOL = 4


class TooMuchWork(AssertionError):
    """An analysis that goes on and on."""


@contextmanager
def bounded(most: int = MOST_CALLS) -> Iterator[None]:
    """Raise `TooMuchWork` when the body calls more Python functions. No bound before Python 3.12."""
    if sys.version_info < (3, 12):
        yield
        return
    watching = sys.monitoring
    left = most

    def count(code: object, offset: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            watching.set_events(_TOOL, 0)
            raise TooMuchWork(f"more than {most} calls")

    watching.use_tool_id(_TOOL, "bounded work")
    watching.register_callback(_TOOL, watching.events.PY_START, count)
    watching.set_events(_TOOL, watching.events.PY_START)
    try:
        yield
    finally:
        watching.set_events(_TOOL, 0)
        watching.free_tool_id(_TOOL)
    if left < 0:
        # Where the engine guards an entry it may have taken the exception for a failure of its own.
        raise TooMuchWork(f"more than {most} calls")


def survive(text: str, path: str = PATH, overlay: Mapping[str, str] | None = None) -> Analysis:
    """Analyse `text`, and assert all that must hold of the result."""
    with bounded():
        analysis = analyse(Snapshot(path, text, overlay=overlay or {}), SETTINGS)
        described = analysis.described()
    assert not analysis.failures, analysis.failures
    lengths = {name: len(one.content) for name, one in analysis.texts.items()}
    assert lengths[path] == len(text)

    def inside(span: Span, name: str = path) -> bool:
        return 0 <= span.start <= span.end <= lengths[name]

    for found in analysis.diagnostics:
        assert found.path == path
        assert inside(found.span), found
        assert found.message
        assert "\n" not in found.message
        assert all(inside(one.span, one.path) for one in found.related), found
        assert all(inside(edit.span) for fix in found.fixes for edit in fix.edits), found
    broken = len(parse(text).errors)
    for found in analysis.diagnostics[:MOST_FIXES]:
        for fix in found.fixes:
            fixed = apply_edits(text, fix.edits)
            if not broken or found.rule != UNUSED_IGNORE:
                # How many places of a broken text are told may change with the number of lines.
                assert len(parse(fixed).errors) <= broken, (fix.title, fixed)
    for one in described:
        assert inside(one.span), one
    for offset in (-1, 0, len(text) // 2, len(text), len(text) + 7):
        there = analysis.describe(offset)
        assert there is None or inside(there.span)
    return analysis


def survive_on_the_command_line(text: str, name: str = "program.py") -> None:
    """Check `text` as a file of this name and render what is found in every format."""
    target = Target(f"/nowhere/{name}", name, given=True)
    loaded = Loaded(target, kind_of(name) or "module", SourceFile(text))
    checked = check_content(loaded, text, SETTINGS, name)
    assert not checked.failures, checked.failures
    for form in OUTPUT_FORMATS:
        assert isinstance(rendered(checked.findings, form, Style(), [name]), str)
