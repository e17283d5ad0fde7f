"""Mistakes planted in real code: does jaxref find those that JAX rejects, and only those?

    python benchmarks/planted.py PATH/TO/jax/tests/mutable_array_test.py     (needs jax and absl-py)

Each mutant of the file lacks one `[...]` of a read (`jnp.sin(x_ref)` for `jnp.sin(x_ref[...])`) or one
`.with_refs(...)`. The changed test runs under JAX; jaxref reads the changed file. Printed are the
mutants that JAX rejects with an error about refs and of which jaxref says nothing in that test, those
that still pass and are called errors, and the counts.
"""

from __future__ import annotations

import ast
import re
import sys
import types
import unittest
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from jaxref.cli.deep import on_big_stack
from jaxref.engine import Snapshot, analyse
from jaxref.settings import Settings
from jaxref.source.text import Text

_ABOUT_REFS = re.compile(
    r"mutable array|got a Ref|unsupported operand|AbstractRef|PRNG key|Ref-typed|'Ref'|gradient ref|Expected cotangent"
)
MOST_VARIANTS = 4
"""So many variants of a parameterized test are run."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """The file with one mistake, and the test that it is in."""

    case: str
    test: ast.FunctionDef
    line: int
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """All mutants of the tests in a file."""
    offset = Text(text).ast_offset
    for case in ast.parse(text).body:
        for test in case.body if isinstance(case, ast.ClassDef) else ():
            if isinstance(test, ast.FunctionDef) and test.name.startswith("test"):
                for node in ast.walk(test):
                    kept = _kept(node)
                    if kept is not None:
                        start = offset(kept.end_lineno or 0, kept.end_col_offset or 0)
                        end = offset(node.end_lineno or 0, node.end_col_offset or 0)  # type: ignore[attr-defined]
                        assert isinstance(case, ast.ClassDef)
                        changed = text[:start] + text[end:]
                        yield Mutant(case.name, test, node.lineno, changed)  # type: ignore[attr-defined]


def _kept(node: ast.AST) -> ast.expr | None:
    """What is left of an expression in a mutant; None where nothing is planted."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        index = node.slice
        whole = isinstance(index, ast.Constant) and index.value is Ellipsis
        if whole or (isinstance(index, ast.Tuple) and not index.elts):
            return node.value if isinstance(node.value, ast.Name) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr == "with_refs" else None
    return None


def run(mutant: Mutant, path: str) -> str:
    """The last lines of the errors of the mutated test under JAX; empty when it passes."""
    module = types.ModuleType("mutant")
    module.__file__ = path
    exec(compile(mutant.text, path, "exec"), module.__dict__)
    case = getattr(module, mutant.case)
    name = mutant.test.name
    variants = [
        one
        for one in unittest.defaultTestLoader.getTestCaseNames(case)
        if one.startswith(name) and not one[len(name) :].strip("_0123456789")
    ]
    errors: list[str] = []
    for variant in variants[:MOST_VARIANTS]:
        result = unittest.TestResult()
        case(variant).run(result)
        errors += [trace.strip().splitlines()[-1] for _, trace in result.errors + result.failures]
    return " ".join(errors)


def said(text: str, path: str) -> dict[tuple[int, str], str]:
    """What jaxref says of a text: the severity by line and rule, infos left out."""
    analysis = analyse(Snapshot(path, text), Settings())
    return {
        (analysis.texts[path].position(one.span.start).line, one.rule): one.severity
        for one in analysis.diagnostics
        if one.severity != "info"
    }


def main() -> int:
    """Run from the command line."""
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before = said(text, path)
    counts: Counter[str] = Counter()
    for mutant in mutants(text):
        errors = run(mutant, path)
        severities = [
            severity
            for place, severity in said(mutant.text, path).items()
            if mutant.test.lineno <= place[0] <= (mutant.test.end_lineno or 0)
            and before.get(place) != severity
        ]
        if _ABOUT_REFS.search(errors):
            verdict = "found" if severities else "missed"
        elif errors:
            verdict = "failing for another reason"
        else:
            verdict = "accused" if "error" in severities else "left alone"
        counts[verdict] += 1
        if verdict in ("missed", "accused"):
            print(f"{path}:{mutant.line}: {verdict}: {errors[:120]}")
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    return 0


if __name__ == "__main__":
    raise SystemExit(on_big_stack(main))
