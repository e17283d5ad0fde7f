"""Labelled programs: what JAX makes of each is in its first line and its marks.

The first line is `# rule: NAME` (JAX raises), `# rule: NAME (silent)` (it runs and the result is
wrong) or `# rule: none`. A line that ends in `# <-- here` is the innermost line of JAX's traceback,
one that ends in `# <-- cause` the line to blame; `# also: NAME` allows a second rule elsewhere.
Programs named `caught_...` raise inside a `try` that catches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxref.diagnostics.model import Diagnostic
from jaxref.engine import Analysis
from jaxref.source.text import Span, Text

LOUD = ("error", "warning")

LONGEST_SPAN = 15
"""Lines; a longer span covers everything and says nothing."""

_NUMBERED = re.compile(r"(?:[a-z]+_)?\d{3}_")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One program with its label; `marks` are lines from 1. `rule` is None for a correct program."""

    name: str
    text: str
    rule: str | None
    silent: bool
    marks: tuple[int, ...]
    also: frozenset[str]

    @property
    def caught(self) -> bool:
        """Whether the program raises only where it expects to."""
        return self.name.startswith("caught_")


def read_corpus(folder: Path) -> list[Labelled]:
    """All numbered programs of a folder, by name. Raises `ValueError` for one without a label."""
    paths = (path for path in folder.glob("*.py") if _NUMBERED.match(path.name))
    return [read_labelled(path) for path in sorted(paths)]


def read_labelled(path: Path) -> Labelled:
    """One program from disk."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    label = re.fullmatch(r"# rule: ([a-z-]+)( \(silent\))?", lines[0].rstrip())
    if label is None:
        raise ValueError(f"{path.name}: the first line is no label: {lines[0]}")
    rule = None if label[1] == "none" else label[1]
    marks = tuple(
        number
        for number, line in enumerate(lines, 1)
        if line.rstrip().endswith(("# <-- here", "# <-- cause"))
    )
    if rule is not None and not marks:
        raise ValueError(f"{path.name}: no line is marked")
    also = frozenset(re.findall(r"# also: ([a-z-]+)", text))
    return Labelled(path.name, text, rule, bool(label[2]), marks, also)


def disagreements(program: Labelled, analysis: Analysis) -> Iterator[str]:
    """What jaxref misses of the label ("missed: ...") and what it makes up ("invented: ...")."""
    text = Text(program.text)
    loud = [d for d in analysis.diagnostics if d.severity in LOUD]
    if program.rule is None or program.caught:
        for d in loud:
            yield f"invented: {_line(text, d)}: {d.severity}: [{d.rule}] {d.message}"
        return
    at = [d for d in loud if _marked(text, d, program.marks)]
    wanted = LOUD if program.silent else ("error",)
    if not any(d.rule == program.rule and d.severity in wanted for d in at):
        found = [(d.rule, _line(text, d), d.severity) for d in analysis.diagnostics]
        yield f"missed: [{program.rule}] at {list(program.marks)}; found: {found}"
    for d in loud:
        if d not in at and d.rule not in program.also:
            yield f"invented: {_line(text, d)}: {d.severity}: [{d.rule}] {d.message}"


def _line(text: Text, d: Diagnostic) -> int:
    return text.position(d.span.start).line


def _marked(text: Text, d: Diagnostic, marks: tuple[int, ...]) -> bool:
    def covers(span: Span) -> bool:
        start, end = text.position(span.start).line, text.position(span.end).line
        return any(
            mark == start or (start <= mark <= end and end - start <= LONGEST_SPAN)
            for mark in marks
        )

    return covers(d.span) or any(covers(r.span) for r in d.related if r.path == d.path)
