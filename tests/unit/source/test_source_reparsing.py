"""Trees made with those of an earlier text are the ones of the text as it is, also of a broken one."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxref.source.readings import Reading
from jaxref.source.reparsing import outline, read

REPOSITORY = Path(__file__).parents[3]
FILES = sorted(
    path
    for folder in ("server/jaxref/interp", "server/jaxref/source", "tests/unit/cli", "examples")
    for path in (REPOSITORY / folder).rglob("*.py")
    if 3000 < path.stat().st_size < 25000
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


def same(one: ast.Module, other: ast.Module) -> bool:
    return ast.dump(one, include_attributes=True) == ast.dump(other, include_attributes=True)


def check(after: str, before: Reading) -> Reading:
    """Read `after` with what is known from `before`, and see that it is what it is without."""
    found, alone, whole = read(after, [before]), read(after, []), tree_of(after)
    assert same(found.tree, alone.tree), after
    assert (found.repaired, found.problems) == (alone.repaired, alone.problems), after
    assert bool(found.problems) == (whole is None), after
    body = outline(after, [before])
    if body is not None:
        assert ast.dump(ast.Module(body, [])) == ast.dump(found.tree), after
    if whole is not None:
        assert same(found.tree, whole), after
    repaired = tree_of(found.repaired)
    assert repaired is not None and same(found.tree, repaired), after
    return found


@pytest.mark.parametrize("seed", range(5))
def test_any_edits_of_real_files(seed: int) -> None:
    chance = random.Random(seed)
    broken = 0
    for path in chance.sample(FILES, 3):
        reading = read(path.read_text(encoding="utf-8"), [])
        for _ in range(25):
            made = check(edited(reading.code, chance), reading)
            broken += bool(made.problems)
            if not made.problems or chance.random() < 0.3:
                reading = made
            if len(reading.problems) > 3:
                reading = read(path.read_text(encoding="utf-8"), [])
    assert broken > 20


TYPED = [
    "    x = foo(a, b['c'])\n", "def f(a,\n      b):\n    return a\n", '    """Doc."""\n', "x = [1,\n2]\n", "if a: pass\n",
    "    with f(x) as y:\n        g(y)\n", "@jax.jit\n", "    y = f'{a[\"b\"]!r}' # c\n", "class A(B):\n    '''C'''\n", "    else:\n",
]  # fmt: skip


def typing(text: str, chance: random.Random) -> Iterator[str]:
    """`text` with something typed into it and some of what stands before deleted, character by character."""
    middle = chance.randrange(len(text))
    at = chance.choice([text.find("\n", middle) + 1, middle])
    piece = chance.choice(TYPED)
    for size in range(len(piece) + 1):
        yield text[:at] + piece[:size] + text[at:]
    for size in range(min(at, chance.choice([0, 9, 30]))):
        yield text[: at - size] + piece + text[at:]


@pytest.mark.parametrize("seed", range(5))
def test_typing_into_real_files(seed: int) -> None:
    chance = random.Random(seed)
    broken = 0
    for path in chance.sample(FILES, 3):
        reading = read(path.read_text(encoding="utf-8"), [])
        for after in typing(reading.code, chance):
            reading = check(after, reading)
            broken += bool(reading.problems)
    assert broken > 10


def test_an_outline_takes_what_stood_elsewhere() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        before = read(text, [])
        middle = before.tree.body[len(before.tree.body) // 2]
        assert outline(text.replace("\n", "\n# more\n", 1), [before]) is not None
        body = outline(f"import more\n{text}", [before])
        assert body is not None and any(one is middle for one in body)
        assert outline(f"import (\n{text}", [before]) is None


@pytest.mark.parametrize("typed", ["    x = foo(a, ", "x = 3", '    """', "    y = 'a", "def f("])
def test_statements_around_a_broken_one_keep_their_nodes(typed: str) -> None:
    [path] = [path for path in FILES if path.name == "annotations.py"]
    lines = path.read_text(encoding="utf-8").split("\n")
    at = lines.index("def value_of(") - 5
    good = lines[at]
    before = read("\n".join(lines), [])
    lines[at] = typed
    broken = read("\n".join(lines), [before])
    assert broken.problems
    kept = {id(statement) for statement in broken.tree.body}
    assert sum(id(statement) not in kept for statement in before.tree.body) == 1
    lines[at] = good
    mended = read("\n".join(lines), [broken])
    assert not mended.problems
    assert sum(id(statement) not in kept for statement in mended.tree.body) == 1


@pytest.mark.parametrize(
    "typed",
    ["x = f'{a:\n}'\n", "x = f'{[\n1]}'\n", "x = f'{\na +\nb}'\n", "x = f'''{a +\nb}'''\n", "x = (\n1,\n)\n"],
)  # fmt: skip
def test_a_line_without_indentation_may_be_inside_of_a_statement(typed: str) -> None:
    text = "".join(f"def f{number}(a):\n    return a\n" for number in range(80))
    check(text + typed + text, read(text + text, []))
