"""Trees made from those of an earlier text are the ones that `ast` makes of the text as it is."""

from __future__ import annotations

import ast
import random
import warnings
from pathlib import Path

import pytest

from jaxref.source.reparsing import reparsed, statement_texts

REPOSITORY = Path(__file__).parents[3]
FILES = sorted(
    path
    for folder in ("server/jaxref/interp", "server/jaxref/source", "tests/unit/cli", "examples")
    for path in (REPOSITORY / folder).rglob("*.py")
    if path.stat().st_size > 3000
)
PIECES = [
    "x = 1\n", "else:\n    pass\n", "    y = 2\n", "@decorated\n", '"""', "'''", "(", ")", "\\\n", "\n", " ", "    ",
    "#", "def f(a):\n    return a\n", "if a:\n", "; b = 2", "a", ":", "é", "async ", "elif x: pass\n", "try:\n    a\n",
    "finally:\n    b\n", "class A:\n    pass\n", "@", "f'{x}'", "match x:\n    case 1: pass\n", "\\", "; ", "except: pass\n",
]  # fmt: skip


def tree_of(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError:
        return None


def edited(text: str, chance: random.Random) -> str:
    """`text` after one edit: something typed, deleted, copied, moved, or a line of its own."""
    at = chance.choice(
        [chance.randrange(len(text)), text.rfind("\n", 0, chance.randrange(len(text))) + 1]
    )
    to = min(len(text), at + chance.choice([0, 0, 1, 3, 20, 200]))
    other = chance.randrange(len(text))
    new = chance.choice([*PIECES, "", "", text[other : other + chance.choice([5, 80])]])
    return text[:at] + new + text[to:]


@pytest.mark.parametrize("seed", range(8))
def test_any_edits_of_real_files(seed: int) -> None:
    chance = random.Random(seed)
    made = 0
    for path in chance.sample(FILES, 6):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        for _ in range(60):
            after = edited(text, chance)
            whole = tree_of(after)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = reparsed(after, text, tree)
            except SyntaxError:
                found = None
            if found is not None:
                assert whole is not None, after
                assert ast.dump(found, include_attributes=True) == ast.dump(
                    whole, include_attributes=True
                )
                made += 1
            if whole is not None:
                # The next edit starts from a tree that was itself put together.
                text, tree = after, found or whole
    assert made > 20


def test_texts_of_statements_are_their_lines() -> None:
    text = "# above\n@a\n# in\n@b\ndef f():\n    pass  # why\n\n\nx = [\n1]\r\nif x: y = 1\nelse:\n  'é'"
    assert statement_texts(text, ast.parse(text)) == [
        "@a\n# in\n@b\ndef f():\n    pass  # why\n",
        "x = [\n1]\r\n",
        "if x: y = 1\nelse:\n  'é'",
    ]


def test_texts_of_statements_on_one_line_are_cut() -> None:
    text = "'é'; x = (\n1); y = 2 # both\nz = 3\n"
    texts = ["'é'; ", "x = (\n1); ", "y = 2 # both\n", "z = 3\n"]
    assert statement_texts(text, ast.parse(text)) == texts


def test_texts_of_statements_are_those_statements() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        for piece, statement in zip(statement_texts(text, tree), tree.body, strict=True):
            assert ast.dump(ast.parse(piece)) == ast.dump(ast.Module([statement], []))
