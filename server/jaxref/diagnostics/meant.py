"""Findings in code that its notebook or page says is to fail."""

from __future__ import annotations

from jaxref.diagnostics.model import Diagnostic
from jaxref.quick_dataclasses import replace


def as_meant(found: Diagnostic, is_meant_to_fail: bool) -> Diagnostic:
    """`found`, but only as a hint where the page or notebook says that the code is to fail."""
    if found.severity == "hint" or not is_meant_to_fail:
        return found
    return replace(found, severity="hint", message=f"meant to fail: {found.message}", fixes=())
