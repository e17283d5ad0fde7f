"""A fix as a value: what to replace, and how far it can be trusted."""

from __future__ import annotations

from jaxref.quick_dataclasses import dataclass
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Applicability: TypeAlias = 'Literal["safe", "unsafe", "display"]'
"""safe: the fixed program does what was meant. unsafe: it works, its meaning or the structure of a
result may differ. display: cannot be applied unseen."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `span` of the diagnostic's own file by `text` (an empty span inserts)."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A remedy. `edits` are sorted, do not overlap and all lie in the diagnostic's own file."""

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability
    preferred: bool = False
