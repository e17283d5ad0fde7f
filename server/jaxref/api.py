"""The Python interface: texts and paths in, findings as plain values out.

`jaxref.check_source` and `jaxref.check_paths` do what `jaxref check` does, without printing, and without
executing anything of what they check. The names that `jaxref` itself exports are the interface; all
other modules may change.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jaxref.cli.checking import check_content
from jaxref.cli.choices import Choices, rule_names
from jaxref.cli.deep import on_big_stack
from jaxref.cli.loading import Checked, Loaded
from jaxref.cli.workers import outcome_of
from jaxref.diagnostics import report
from jaxref.diagnostics.model import Severity
from jaxref.fixes.model import Applicability
from jaxref.settings import Settings, load_settings
from jaxref.source.documents import kind_of
from jaxref.source.reading import SourceFile, Unreadable
from jaxref.targets import Target, targets


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in a text. Lines and columns count from 1, columns in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Change:
    """Replace what stands from `start` up to, not including, `end` by `text`."""

    start: Place
    end: Place
    text: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Remedy:
    """A fix: its changes do not overlap, are sorted, and lie in the finding's own file.

    safe: the fixed program does what was meant. unsafe: it works, but its meaning or the structure of
    a result may differ. display: not to be applied unseen.
    """

    title: str
    applicability: Applicability
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """A further place that matters to a finding, in its own or in another file."""

    path: str
    start: Place
    end: Place
    message: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found. `end` is exclusive; in a notebook places count in the cell (from 1) `cell`."""

    path: str
    rule: str
    severity: Severity
    message: str
    start: Place
    end: Place
    cell: int | None
    url: str
    related: tuple[Related, ...]
    remedies: tuple[Remedy, ...]

    def __str__(self) -> str:
        """As `jaxref check --output-format concise` has it."""
        cell = "" if self.cell is None else f"cell {self.cell}:"
        where = f"{self.path}:{cell}{self.start.line}:{self.start.column}"
        return f"{where}: {self.severity}[{self.rule}] {self.message}"


@dataclass(frozen=True, slots=True)
class Report:
    """What a check came to.

    `findings` are sorted by file as it was reached, then by place. `paths` are the files that were
    checked. `problems` say in one line each what could not be read, and what failed inside jaxref;
    `incomplete` what was analysed in part, and why.
    """

    findings: tuple[Finding, ...]
    paths: tuple[str, ...]
    problems: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True when all could be checked and neither an error nor a warning was found."""
        loud = any(finding.severity in ("error", "warning") for finding in self.findings)
        return not loud and not self.problems


def check_source(
    text: str,
    path: str | os.PathLike[str] | None = None,
    settings: Mapping[str, object] | None = None,
) -> Report:
    """Check `text`.

    `path` need not exist. Its suffix says what the text is: Python, a notebook (`.ipynb`) or a Markdown
    page (`.md`); modules are imported as from a file there; and the settings file that is nearest to it
    holds. Without a path the text is Python and no settings file is read. `settings` has the keys of
    a settings file and wins over it.

    Raises `ValueError` for a mistake in the settings, and for a text that is not the notebook that its
    path says it is.
    """
    place = os.path.abspath(os.fspath(path) if path is not None else "source.py")
    shown = os.fspath(path) if path is not None else "<source>"
    known = rule_names()
    effective, mistakes = load_settings(place, settings, isolated=path is None, known_rules=known)
    if mistakes:
        raise ValueError("; ".join(map(str, mistakes)))
    loaded = Loaded(Target(place, shown, given=True), kind_of(place) or "module", SourceFile(text))
    try:
        return _report_on(loaded, text, effective, shown)
    except Unreadable as error:
        raise ValueError(f"{shown}: {error}") from None


def check_paths(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    settings: Mapping[str, object] | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
) -> Report:
    """Check files and folders.

    Folders are walked as by `jaxref check`: without what git ignores, virtual environments, and what
    the settings exclude. The settings of the file nearest to each checked file hold; those of `config`
    where it is given; none with `isolated`. `settings` has the keys of a settings file and wins.
    What cannot be read is among the report's problems and the rest is checked.

    Raises `ValueError` for a mistake in the settings.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    mistakes: list[str] = []
    problems: list[str] = []
    checked: list[Checked] = []
    choices = Choices(
        settings or {},
        os.fspath(config) if config is not None else None,
        isolated=isolated,
        report=mistakes.append,
    )

    def unreadable(path: str, reason: str) -> None:
        problems.append(f"{path}: {reason}")

    def work() -> int:
        for target in targets([os.fspath(path) for path in given], choices.of_folder, unreadable):
            outcome = outcome_of(target, choices)
            if outcome.failure is not None:
                unreadable(target.shown, outcome.failure)
            if outcome.checked is not None:
                checked.append(outcome.checked)
        return 0

    on_big_stack(work)
    if mistakes:
        raise ValueError("; ".join(mistakes))
    return _joined(checked, problems)


def _report_on(loaded: Loaded, text: str, settings: Settings, shown: str) -> Report:
    checked: list[Checked] = []

    def work() -> int:
        checked.append(check_content(loaded, text, settings, shown))
        return 0

    on_big_stack(work)
    return _joined(checked, [])


def _joined(checked: list[Checked], problems: list[str]) -> Report:
    failures = [f"{one.target.shown}: {line}" for one in checked for line in one.failures]
    return Report(
        tuple(_finding(found) for one in checked for found in one.findings),
        tuple(one.target.shown for one in checked),
        (*problems, *failures),
        tuple(f"{one.target.shown}: {line}" for one in checked for line in one.incomplete),
    )


def _finding(found: report.Finding) -> Finding:
    start, end = _places(found.where)
    return Finding(
        found.where.path,
        found.rule,
        found.severity,
        found.message,
        start,
        end,
        found.where.start.cell,
        found.url,
        tuple(_related(note) for note in found.notes),
        tuple(_remedy(remedy) for remedy in found.remedies),
    )


def _related(note: report.Note) -> Related:
    start, end = _places(note.where)
    return Related(note.where.path, start, end, note.message, note.where.start.cell)


def _remedy(remedy: report.Remedy) -> Remedy:
    changes = [
        Change(*_places(change.where), change.text, change.where.start.cell)
        for change in remedy.changes
    ]
    return Remedy(remedy.title, remedy.applicability, tuple(changes))


def _places(where: report.Stretch) -> tuple[Place, Place]:
    start, end = where.start, where.end
    return Place(start.line, start.column), Place(end.line, end.column)
