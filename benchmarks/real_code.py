"""What jaxref says of code that nobody wrote for it, as a Markdown table.

    python benchmarks/real_code.py FOLDER...       (PYTHONPATH=server, or jaxref installed)

Each folder, e.g. the checkout of a repository, is a row: its `.py` files and lines, how many of them
mention JAX at all, the findings by severity, internal errors, the processor time and the slowest
file. Errors and warnings, which are to be examined one by one, and internal errors are listed before
the table. `--hints` lists the hints, too.
"""

from __future__ import annotations

import argparse
import os
import time
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from jaxref.cli.deep import on_big_stack
from jaxref.engine import Analysis, Snapshot, analyse
from jaxref.relevance import mentions_jax
from jaxref.settings import Settings


@dataclass(slots=True)
class Row:
    """What was measured in one folder. `seconds` are those of the processor."""

    name: str
    files: int = 0
    lines: int = 0
    with_jax: int = 0
    cut_short: int = 0
    failures: int = 0
    seconds: float = 0.0
    slowest: tuple[float, str] = (0.0, "")
    severities: Counter[str] = field(default_factory=Counter)


def python_files(folder: str) -> Iterator[str]:
    """The paths of the `.py` files under `folder`, in order."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                yield os.path.join(parent, name)


def measure(folder: str, shown: frozenset[str]) -> Row:
    """Analyse each file of `folder` and print the findings whose severity is in `shown`."""
    row = Row(os.path.basename(os.path.abspath(folder)))
    for path in python_files(folder):
        try:
            with tokenize.open(path) as file:
                text = file.read()
        except (OSError, SyntaxError, UnicodeDecodeError):
            continue
        row.files += 1
        row.lines += text.count("\n")
        row.with_jax += mentions_jax(text)
        started = time.process_time()
        try:
            analysis = analyse(Snapshot(os.path.abspath(path), text), Settings())
        except Exception as error:
            row.failures += 1
            print(f"{path}: failed: {type(error).__name__}: {error}")
            continue
        seconds = time.process_time() - started
        row.seconds += seconds
        row.slowest = max(row.slowest, (seconds, os.path.relpath(path, folder)))
        _note(row, path, analysis, shown)
    return row


def _note(row: Row, path: str, analysis: Analysis, shown: frozenset[str]) -> None:
    row.cut_short += bool(analysis.incomplete)
    for failure in analysis.failures:
        row.failures += 1
        print(f"{path}: {failure}")
    text = analysis.texts.get(analysis.snapshot.path)
    for one in analysis.diagnostics:
        row.severities[one.severity] += 1
        if one.severity in shown and text is not None:
            at = text.position(one.span.start)
            print(f"{path}:{at.line}:{at.column}: {one.severity}[{one.rule}] {one.message}")


def table(rows: list[Row]) -> str:
    """The rows and their sum as a Markdown table."""
    total = Row("all")
    for row in rows:
        total.files += row.files
        total.lines += row.lines
        total.with_jax += row.with_jax
        total.cut_short += row.cut_short
        total.failures += row.failures
        total.seconds += row.seconds
        total.slowest = max(total.slowest, row.slowest)
        total.severities += row.severities
    head = "| folder | files | lines | with jax | errors | warnings | infos | hints | cut short"
    lines = [
        head + " | internal errors | s | slowest |",
        "| --- |" + " ---: |" * 10 + " --- |",
    ]
    for row in [*rows, total]:
        found = row.severities
        lines.append(
            f"| {row.name} | {row.files:,} | {row.lines:,} | {row.with_jax:,} | {found['error']}"
            f" | {found['warning']} | {found['info']} | {found['hint']} | {row.cut_short}"
            f" | {row.failures} | {row.seconds:.1f} | {row.slowest[0]:.2f} s {row.slowest[1]} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="What jaxref says of real code, as a table.")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--hints", action="store_true", help="list hints and infos, too")
    options = parser.parse_args()
    shown = {"error", "warning", *(("info", "hint") if options.hints else ())}
    rows = [measure(folder, frozenset(shown)) for folder in options.folders]
    print(table(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(on_big_stack(main))
