"""Figures of one run: medians, ratios, and a file for later comparison."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

Figures = Mapping[str, Mapping[str, Sequence[float]]]
"""Measurement, then tool, then its samples."""


def table(figures: Figures, unit: str = "ms") -> str:
    """A Markdown table of medians, each with its ratio to jaxref's."""
    tools = list(dict.fromkeys(tool for samples in figures.values() for tool in samples))
    rows = ["| | " + " | ".join(tools) + " |", "|---" * (len(tools) + 1) + "|"]
    for name, samples in figures.items():
        own = statistics.median(samples["jaxref"]) if samples.get("jaxref") else None
        cells = []
        for tool in tools:
            if not samples.get(tool):
                cells.append("-")
                continue
            median = statistics.median(samples[tool])
            ratio = f" ({median / own:.2f}x)" if own and tool != "jaxref" else ""
            cells.append(f"{median:.0f} {unit}{ratio}")
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def keep(figures: Figures, path: str | None) -> None:
    """Write the samples to a file."""
    if path:
        Path(path).write_text(json.dumps(figures, indent=1))
