"""Analyse every file of folders, also those that have nothing to do with JAX, and say what fails.

usage: python tests/robustness/sweep.py FOLDER...

What is filtered out otherwise, since no ref can turn up in it, is read and evaluated here: whole files
and functions that mention no word of interest, and modules of packages. All that must hold of a text
(`surviving.py`) is checked of each. For each folder: files, lines, failures, analyses cut short,
processor time, and the slowest five.
"""

from __future__ import annotations

import argparse
import sys
import time
import tokenize
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "server"))

from surviving import survive

import jaxref.engine
import jaxref.interp.imports
import jaxref.interp.run
from jaxref.cli.deep import on_big_stack


class Everything:
    """Everything is of interest."""

    anything = True

    def of(self, node: object) -> bool:
        """True."""
        return True


def lift_filters(put: Callable[[object, str, object], None] = setattr) -> None:
    """Let nothing be passed over."""
    for name in ("mentions_jax", "mentions_refs"):
        put(jaxref.engine, name, lambda text: True)
    for module in (jaxref.interp.run, jaxref.interp.imports):
        put(module, "interest_of", lambda m, module: Everything())


@dataclass(slots=True)
class Swept:
    """What came of one folder."""

    files: int = 0
    lines: int = 0
    failures: int = 0
    cut_short: int = 0
    seconds: list[tuple[float, str]] = field(default_factory=list)


def sweep(folder: Path) -> Swept:
    """Analyse the `.py` files under `folder`."""
    swept = Swept()
    for path in sorted(folder.rglob("*.py")):
        try:
            with tokenize.open(path) as file:
                text = file.read()
        except (OSError, SyntaxError, UnicodeDecodeError):
            continue
        swept.files += 1
        swept.lines += text.count("\n")
        started = time.process_time()
        try:
            analysis = survive(text, str(path.absolute()))
        except (Exception, AssertionError) as error:
            swept.failures += 1
            print(f"{path}: {type(error).__name__}: {error}", flush=True)
            continue
        swept.cut_short += bool(analysis.incomplete)
        seconds = time.process_time() - started
        swept.seconds.append((seconds, str(path.relative_to(folder))))
    return swept


def main() -> int:
    """Run from the command line; 1 when anything failed."""
    parser = argparse.ArgumentParser(description="Analyse every file of folders.")
    parser.add_argument("folders", nargs="+", metavar="FOLDER", type=Path)
    lift_filters()
    failures = 0
    for folder in parser.parse_args().folders:
        one = sweep(folder)
        failures += one.failures
        print(
            f"{folder}: {one.files} files, {one.lines} lines, {one.failures} failures,"
            f" {one.cut_short} cut short, {sum(took for took, _ in one.seconds):.0f} s"
        )
        for took, name in sorted(one.seconds, reverse=True)[:5]:
            print(f"  {took:.1f} s {name}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(on_big_stack(main))
