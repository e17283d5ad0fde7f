"""Chunks are whole statements of any text that is Python, whatever strings and brackets hold."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import random
import tokenize
from itertools import pairwise
from pathlib import Path

import pytest

from jaxref.source.chunks import Brackets, chunk_starts, closing, edited_starts, hangs, stray_quotes

REPOSITORY = Path(__file__).parents[3]
FILES = [Path(str(module.__file__)) for module in (argparse, ast, dataclasses, tokenize)]
FILES += sorted((REPOSITORY / "server/jaxref/source").glob("*.py"))
FILES += sorted((REPOSITORY / "tests/unit/source").glob("*.py"))


def chunks_of(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise([*chunk_starts(text), len(text)])]


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("", [""]),
        ("# a\nx = 1\n\n# b\ny = 2", ["# a\n", "x = 1\n\n# b\n", "y = 2"]),
        ("if x:\n  y\nelse:\n  z\nw\n", ["if x:\n  y\nelse:\n  z\n", "w\n"]),
        ("@a\n@b\ndef f(): pass\nx\n", ["@a\n@b\ndef f(): pass\n", "x\n"]),
        ('x = """\na\n"""\ny\n', ['x = """\na\n"""\n', "y\n"]),
        ('x = r"""\\\\\\"""\n"""\ny\n', ['x = r"""\\\\\\"""\n"""\n', "y\n"]),
        ("x = f'''{\"'''\"}\nb'''\ny\n", ["x = f'''{\"'''\"}\nb'''\n", "y\n"]),
        ("x = 'a\\\nb'\ny\n", ["x = 'a\\\nb'\n", "y\n"]),
        ("x = \\\n1\ny\n", ["x = \\\n1\n", "y\n"]),
        ("if x:\n    y\n\\\n    z\nw\n", ["if x:\n    y\n\\\n    z\n", "w\n"]),
        ("x = (\n1,\n)\n", ["x = (\n", "1,\n)\n"]),
        ("x = 'open\ny\n", ["x = 'open\n", "y\n"]),
    ],
)
def test_where_chunks_begin(text: str, chunks: list[str]) -> None:
    assert chunks_of(text) == chunks


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("x = [\n1,\n2]\ny\n", 2),
        ("x = ['[', # [\n1,\n2]\ny\n", 2),
        ("x = [\n1,\n2] + [\n3]\ny\n", 3),
        ("x = [\ndef f(): pass\n]\n", 0),
        ("x = [\n1,\n2\n", 0),
        ("x = []\n1\n", 0),
        ("def f(a,\nb):\n    return a\ny\n", 1),
    ],
)
def test_where_brackets_are_closed(text: str, last: int) -> None:
    assert closing(chunks_of(text), 0, {}) == last


def test_chunks_of_python_are_python() -> None:
    for path in FILES:
        chunks = chunks_of(path.read_text(encoding="utf-8"))
        brackets: dict[int, Brackets] = {}
        at = 0
        while at < len(chunks):
            last = closing(chunks, at, brackets)
            text = "".join(chunks[at : last + 1])
            ast.parse(text)
            assert not hangs(text), text
            at = last + 1


PIECES = ["x\n", "\n", "#", '"""', "'", "@a\n", "else:\n", "(", "\\\n", "def f():\n", "fin", "  "]


@pytest.mark.parametrize("seed", range(3))
def test_starts_after_an_edit(seed: int) -> None:
    chance = random.Random(seed)
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for _ in range(20):
            at = text.rfind("\n", 0, chance.randrange(len(text))) + chance.choice([0, 1, 1, 4])
            at = min(at, len(text))
            to = min(len(text), at + chance.choice([0, 0, 1, 40]))
            after = text[:at] + chance.choice(PIECES) + text[to:]
            starts = edited_starts(after, text, chunk_starts(text), at, len(text) - to)
            assert starts == chunk_starts(after)


def test_quotes_that_swallow_a_definition_are_stray() -> None:
    text = 'def f():\n    """F."""\n    """\n    x\n\ndef g():\n    """G."""\n'
    assert stray_quotes(text, 0, len(text)) == text.index('"""\n    x')
    assert stray_quotes('x = """\n    def f():\n"""\n', 0, 99) is None
