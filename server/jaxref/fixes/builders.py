"""The fixes of a finding, by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxref.fixes.model import Fix
from jaxref.source.text import Text

if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def fixes_for(rule: str, finding: Finding, text: Text) -> tuple[Fix, ...]:
    """The fixes for a finding of `rule` in `text`, the preferred one first."""
    del rule, finding, text
    return ()
