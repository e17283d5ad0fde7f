"""Run the rule pages under several JAX versions and print what each does with them.

usage: python tests/harness/every_version.py PYTHON ...

Each PYTHON is the interpreter of an environment with one version of JAX. Prints a row per page: for each
version the number of fences that do what the page says of that version, of those that it is for; then
the disagreements. Exit code 1 when there is one.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "server")]

from harness.markdown import Page, read_page  # noqa: E402
from harness.oracle import Oracle  # noqa: E402
from harness.verdicts import claims, execution_complaints  # noqa: E402


def main(pythons: list[str]) -> int:
    """Print the table; 1 when a page and a version disagree, 2 for a wrong call."""
    if not pythons:
        print(__doc__, file=sys.stderr)
        return 2
    pages = [read_page(path) for path in sorted((TESTS / "rules").glob("*.md"))]
    columns: dict[str, list[str]] = {}
    disagreements: list[str] = []
    for python in pythons:
        oracle = Oracle(python)
        columns[oracle.jax] = [agreed(page, oracle, disagreements) for page in pages]
        oracle.close()
    width = max(len(page.path.stem) for page in pages)
    print(" " * width, *(f"{version:>9}" for version in columns))
    for row, page in enumerate(pages):
        print(f"{page.path.stem:{width}}", *(f"{cells[row]:>9}" for cells in columns.values()))
    print(*disagreements, sep="\n")
    return 1 if disagreements else 0


def agreed(page: Page, oracle: Oracle, disagreements: list[str]) -> str:
    """`agreeing/asked` for one page; disagreements are added to the list."""
    fences = [f for f in page.fences if f.versions.contains(oracle.jax, prereleases=True)]
    tickets = [oracle.ask(f.text, claims(f, oracle.jax)) for f in fences]
    good = 0
    for fence, ticket in zip(fences, tickets, strict=True):
        said = list(execution_complaints(fence, oracle.answer(ticket), oracle.jax))
        good += not said
        disagreements.extend(f"{oracle.jax}: {line}" for line in said)
    return f"{good}/{len(fences)}" if fences else "-"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
