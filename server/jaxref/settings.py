"""Settings: `[tool.jaxref]` in pyproject.toml, or jaxref.toml; the nearest one up the tree wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxref.diagnostics.model import Severity


@dataclass(frozen=True, slots=True)
class Settings:
    """Effective settings for one file. Hashable by identity; equal settings compare equal."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    jax_version: tuple[int, ...] | None = None
    python: str | None = None
    hints: bool = True
    roots: tuple[str, ...] = ()
    """Folders in which the project's own modules are looked up, before the environment."""
