"""Walking gives the nodes that `ast` has, but for operators and contexts."""

from __future__ import annotations

import ast
import sys
import textwrap

import pytest

from jaxref.source.walking import children, targets_in, walk

LEFT_OUT = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop, ast.TypeIgnore)

EVERYTHING = '''
import a.b as c, d
from .e import f as g
@decorated(1)
async def h(i: int, /, j, *k, l=1, m, **n) -> "o":
    """A docstring."""
    global p, q
    async with r as s, t:
        await u
    async for v in w: yield x
    return lambda *y, z=None: (y, z)
class A(B, metaclass=C):
    d: int = 1
    e: str
    f += 1; del f[1:2, ::3], f.g
def i():
    h = 1
    def j():
        nonlocal h
        raise K from l
    try: pass
    except* M as n: continue_ = [*o, {**p, "q": -r}, {s}]
    assert not t and u or v, f"{w!r:>{x}}"
    while a < b <= c is not d: break
    else: e = {f: g for f in h if i for j in k}
    if (y := [z async for z in a]): pass
    elif b[c]: d = e if f else 1.5
match a:
    case [1, *rest] | {"k": v, **others} | P(x, y=0) as whole if guard: pass
    case None | _: pass
'''
NEW = (
    "def f[T: int, *U, **V](x: T): ...\ntype X[T] = list[T]\n"
    if sys.version_info >= (3, 12)
    else ""
)


@pytest.mark.parametrize("text", [EVERYTHING, NEW])
def test_as_ast_does(text: str) -> None:
    tree = ast.parse(textwrap.dedent(text))
    nodes = [node for node in ast.walk(tree) if not isinstance(node, LEFT_OUT)]
    for node in nodes:
        expected = [one for one in ast.iter_child_nodes(node) if not isinstance(one, LEFT_OUT)]
        assert children(node) == expected, ast.dump(node)
    assert {id(node) for node in walk(tree)} == {id(node) for node in nodes}


def test_targets_of_all_statements() -> None:
    text = """
        a = b, c = d
        e: int = 1
        f += 1
        for g in h:
            with i as j, k:
                l = 1
        else:
            else_ = 1
            while m: n = 1
        try:
            async def o():
                async for p in q: pass
                async with r as s: pass
        except t: u = 1
        else: v = 1
        finally:
            match w:
                case 1: x = 1
        class y: z = lambda: (a1 := 1)
        """
    tree = ast.parse(textwrap.dedent(text))
    found = {ast.unparse(target) for target in targets_in(tree.body)}
    assert found == set("aefgjlnpsuvxz") | {"(b, c)", "else_"}
