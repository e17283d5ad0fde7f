"""What is told of a place: diagnostics and descriptions as values, independent of who shows them."""

from __future__ import annotations

from jaxref.fixes.model import Fix
from jaxref.quick_dataclasses import dataclass
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Severity: TypeAlias = 'Literal["error", "warning", "info", "hint"]'

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "hint")
"""From the loudest to the quietest."""


@dataclass(frozen=True, slots=True)
class Related:
    """A further place that matters, in this or another file; `span` counts in that file's text.

    With `after` the program comes there after the place of the diagnostic, else before.
    """

    path: str
    span: Span
    message: str
    after: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found in one file.

    `span` counts in the analysed text of `path` (`Analysis.texts[path]`). `message` stands alone on
    one line. `fixes` are ordered, the preferred one first. `suppressed` says that a comment silences
    it; such a diagnostic exists only where the settings ask for it. `refusals` say why further fixes
    could not be made.
    """

    path: str
    rule: str
    severity: Severity
    message: str
    span: Span
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    suppressed: bool = False
    refusals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Described:
    """What a hover shows of the expression at `span`: Markdown, and a one-line form for `reveal`."""

    span: Span
    kind: str
    line: str
    markdown: str
