"""Parents, scopes and lines are found for what is asked about, and are what they are when all is looked at."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from jaxref.fixes.parents import Parents
from jaxref.fixes.scopes import Scope, Scopes
from jaxref.fixes.silencing import silencing_edit, silencing_edits
from jaxref.source.text import Text

CORPUS = sorted((Path(__file__).parents[2] / "corpus").glob("*.py"))[::20]

TEXT = """\
import jax
x = y = 1; z = [w := 2 for _ in (x,)]


@jax.jit
def one(a, b=x):
    def inner():
        return a + x + first
    return inner() + b


class Two:
    x = x

    def method(self):
        return [one(x) for x in self.all if (y := x)]


if z:
    def one(a):
        return first(a) + x

f = lambda a: a + x
"""


def told(scope: Scope) -> tuple[object, ...]:
    return (
        scope.node,
        list(scope.bound.items()),
        list(scope.read.items()),
        scope.declared,
        [one.node for one in scope.inner],
    )


@pytest.mark.parametrize(
    "text", [TEXT, TEXT + "\n\ndef three():\n    global x\n    x = one\n", TEXT + "# é\n"]
)
@pytest.mark.parametrize("seed", range(4))
def test_scopes_are_the_same_in_any_order(text: str, seed: int) -> None:
    dice, tree = random.Random(seed), ast.parse(text)
    whole, some = Scopes(tree, Text(text)), Scopes(tree, Text(text))
    for scope in whole.module.inner:
        scope.look()
    names = ["one", "x", "first", "inner", "a", "nothing", "y"]
    dice.shuffle(names)
    for name in names[:4]:
        assert some.module.read.get(name) == whole.module.read.get(name)
    nodes = list(ast.walk(tree))
    dice.shuffle(nodes)
    for node in nodes:
        known, asked = whole.of(node), some.of(node)
        assert (known is None) == (asked is None)
        if known is not None and asked is not None:
            assert told(known) == told(asked)


def test_functions_are_looked_at_where_they_have_the_word() -> None:
    scopes = Scopes(ast.parse(TEXT), Text(TEXT))
    assert [scope.waits for scope in scopes.module.inner] == [False, True, True, True, True]
    assert len(scopes.module.read["first"]) == 2
    assert [scope.waits for scope in scopes.module.inner] == [False, False, True, False, True]
    assert scopes.module.read.get("all") is None


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_parents_are_those_of_the_whole_tree(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    shared = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
    known = {
        child: node
        for node in ast.walk(tree)
        for child in ast.iter_child_nodes(node)
        if not isinstance(child, shared)
    }
    nodes = list(known)
    random.Random(path.stem).shuffle(nodes)
    parents, elsewhere = Parents(tree), Parents(ast.parse("x = 1\n" * 30))
    for node in nodes[:50]:
        assert parents[node] is known[node]
        assert node not in elsewhere
    assert tree not in parents
    assert list(Parents(tree).items()) == list(known.items()) == list(parents.items())


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_line_is_silenced_by_what_stands_around_it(path: Path) -> None:
    text = Text(
        path.read_text(encoding="utf-8") + "\n\nx = (1,\n  2); y = [3,\n4]  # jaxref: ignore[a]\n"
    )
    for start in text.line_starts:
        whole = silencing_edits(text, [("rule", start)])
        assert silencing_edit(text, "rule", start) == (whole[0] if whole else None)
