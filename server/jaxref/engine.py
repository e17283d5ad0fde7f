"""analyse: one frozen snapshot in, everything jaxref knows of it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from jaxref.diagnostics.model import Diagnostic
from jaxref.settings import Settings
from jaxref.source.text import Span, Text


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One version of one Python module's text.

    For a Markdown page or a notebook `text` is the module made of its code (see `source.documents`);
    all spans count in `text`. `path` is absolute for files on disk and any stable name otherwise.
    """

    path: str
    text: str
    version: int | None = None
    overlay: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Texts of other files as they are in an editor, by absolute path; they win over the disk."""
    when_late: Callable[[], None] | None = field(default=None, compare=False, repr=False)
    """Given by those who do not wait for slow answers about types. Called once, on any thread, when
    these are there and another analysis would know more."""


@dataclass(frozen=True, slots=True)
class Described:
    """What a hover shows of the expression at `span`: Markdown, and a one-line form for `reveal`."""

    span: Span
    kind: str
    line: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result for one snapshot. Spans in other files count in `texts[path]`."""

    snapshot: Snapshot
    diagnostics: tuple[Diagnostic, ...] = ()
    incomplete: tuple[str, ...] = ()
    texts: Mapping[str, Text] = field(default_factory=dict)
    dependencies: frozenset[str] = frozenset()
    describe: Callable[[int], Described | None] = lambda offset: None
    described: Callable[[], tuple[Described, ...]] = lambda: ()


def analyse(
    snapshot: Snapshot, settings: Settings, cancel: Callable[[], bool] = lambda: False
) -> Analysis:
    """Analyse one snapshot.

    Never raises for anything a source text can contain. `cancel` is polled; once it answers True
    `AnalysisCancelled` is raised. `incomplete` says in one line each what was given up and why.
    Diagnostics are sorted by place, suppressed ones are already gone.
    """
    del settings, cancel
    return Analysis(snapshot, texts={snapshot.path: Text(snapshot.text)})


class AnalysisCancelled(Exception):
    """Raised out of `analyse` when its `cancel` answered True."""
