"""The tables and plots of docs/performance.md, from the figures of a run.

usage: .cache/benchmarks/venv/bin/python benchmarks/page.py [FIGURES.json]

The text around the tables is written by hand; a table stands between `<!-- table NAME -->` and
`<!-- end -->`. The figures are benchmarks/recorded.json unless others are given.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
# Text as text, and the same bytes from the same figures.
mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "jaxref", "font.size": 9})

import matplotlib.pyplot as plt  # noqa: E402
from report import Figures, shown, table  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
IMAGES = ROOT / "docs" / "images"
RECORDED = ROOT / "benchmarks" / "recorded.json"

TABLES = {
    "start": "start to first diagnostics",
    "edit": "edit to diagnostics",
    "hover": "hover",
    "actions": "code actions",
    "memory": "memory",
}
COLOURS = {
    "jaxref": "#2a78d6",
    "ruff": "#555b66",
    "ty": "#a3a9b3",
    "pyrefly": "#d3a45c",
    "basedpyright": "#7fae8a",
}


def chosen(figures: Figures, ending: str) -> Figures:
    """The measurements whose names end so, by what stands before it."""
    return {
        name.removesuffix(f": {ending}"): found
        for name, found in figures.items()
        if name.endswith(f": {ending}")
    }


def growth_table(figures: Figures) -> str:
    """Sizes and milliseconds of each series."""
    rows = ["| grows with | size: ms |", "|---|---|"]
    for name, found in figures.items():
        if name.startswith("growth with "):
            cells = ", ".join(f"{size}: {shown(times[0])}" for size, times in found.items())
            rows.append(f"| {name.removeprefix('growth with ')} | {cells} |")
    return "\n".join(rows)


def commands(figures: Figures) -> Figures:
    """The measurements of whole commands."""
    return {
        name: found
        for name, found in figures.items()
        if ": " not in name and not name.startswith("growth with ")
    }


def plot_bars(figures: Figures, title: str, unit: str, path: Path) -> None:
    """A group of bars for each file, one for each tool, on a logarithmic scale."""
    tools = list(dict.fromkeys(tool for found in figures.values() for tool in found))
    plot, axes = plt.subplots(figsize=(7.2, 2.8), layout="constrained")
    width = 0.8 / len(tools)
    for number, tool in enumerate(tools):
        heights = [
            statistics.median(found[tool]) if tool in found else 0 for found in figures.values()
        ]
        places = [at + (number - (len(tools) - 1) / 2) * width for at in range(len(figures))]
        axes.bar(places, heights, width, label=tool, color=COLOURS[tool])
    axes.set_yscale("log")
    axes.set_xticks(range(len(figures)), list(figures))
    axes.set_ylabel(unit)
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    plot.legend(loc="outside lower center", frameon=False, ncols=len(tools), fontsize=8)
    plot.savefig(path, metadata={"Date": None, "Creator": None})


def plot_growth(figures: Figures, path: Path) -> None:
    """A line for each series, its first size and time being one."""
    plot, axes = plt.subplots(figsize=(7.2, 2.8), layout="constrained")
    for name, found in figures.items():
        if name.startswith("growth with "):
            sizes = [int(size) for size in found]
            times = [samples[0] for samples in found.values()]
            axes.plot(
                [size / sizes[0] for size in sizes],
                [time / times[0] for time in times],
                marker="o",
                markersize=3,
                label=name.removeprefix("growth with "),
            )
    axes.plot([1, 30], [1, 30], color="#b4b8bf", linestyle=":", label="in proportion")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("size, multiple of the smallest")
    axes.set_ylabel("time, multiple")
    axes.set_title("How the time of one analysis grows", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    plot.savefig(path, metadata={"Date": None, "Creator": None})


def main() -> None:
    """Write the page and the plots."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else RECORDED
    figures: dict[str, dict[str, list[float]]] = json.loads(source.read_text())
    tables = {
        name: table(chosen(figures, ending), "MB" if name == "memory" else "ms")
        for name, ending in TABLES.items()
    }
    tables |= {"commands": table(commands(figures)), "growth": growth_table(figures)}
    text = PAGE.read_text(encoding="utf-8")
    for name, made in tables.items():
        text, count = re.subn(
            rf"(<!-- table {name} -->\n).*?(<!-- end -->)",
            lambda found, made=made: f"{found[1]}{made}\n{found[2]}",
            text,
            flags=re.DOTALL,
        )
        if not count:
            raise SystemExit(f"{PAGE}: no place for the table `{name}`")
    PAGE.write_text(text, encoding="utf-8")
    edits, memory = chosen(figures, TABLES["edit"]), chosen(figures, TABLES["memory"])
    plot_bars(edits, "Edit to diagnostics", "ms", IMAGES / "performance-edit.svg")
    plot_bars(
        memory, "Memory of all processes of a server", "MB", IMAGES / "performance-memory.svg"
    )
    plot_growth(figures, IMAGES / "performance-growth.svg")


if __name__ == "__main__":
    main()
