"""Figures of one run: medians, ratios, and a file for later comparison."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

Samples = dict[str, dict[str, list[float]]]
"""Measurement, then tool, then its samples."""

Figures = Mapping[str, Mapping[str, Sequence[float]]]


def add(figures: Samples, name: str, tool: str, sample: float) -> None:
    """Add one sample."""
    figures.setdefault(name, {}).setdefault(tool, []).append(sample)


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
            ratio = f" ({median / own:.2g}x)" if own and tool != "jaxref" else ""
            cells.append(f"{shown(median)} {unit}{ratio}")
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def shown(value: float) -> str:
    """A figure with the digits that mean something."""
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def keep(figures: Figures, path: str | None) -> None:
    """Add the samples to a file, in the place of those of the same names."""
    if path:
        file = Path(path)
        before = json.loads(file.read_text()) if file.exists() else {}
        rounded = {
            name: {tool: [round(one, 2) for one in found] for tool, found in samples.items()}
            for name, samples in figures.items()
        }
        file.write_text(json.dumps({**before, **rounded}, indent=1) + "\n")
