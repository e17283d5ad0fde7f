"""A program with every kind of node of Python's grammar: each is walked, and none is stumbled over."""

from __future__ import annotations

import ast
import sys
from collections import Counter

from surviving import survive
from zoo import around

from jaxref.source.walking import walk

EVERYTHING = """
import d.e as f, g as _g
from a import b as c
from . import *
x: int = 1
(y): int
if x: pass
elif y: pass
else: pass
class K(B, metaclass=M):
    def m(self, q):
        match q:
            case True | False | None: pass
            case {'a': 1, **rest}: self.r = q
            case [a, *b] as c: pass
            case [*_]: pass
            case C(1, k=2) if q: pass
            case -1 | 1+2j | 'x' 'y' | b'z' | A.b: pass
            case _: pass
def h(a, /, b: int = 1, *c, d=2, **e) -> int:
    global g1
    def i():
        nonlocal b
        return lambda *a, k=1, **q: (yield)
    del a, b[0], c.d
    assert a, b
    raise A from b
try: pass
except (A, B) as e: pass
else: pass
finally: pass
try: pass
except* A: pass
async def g():
    async for i in x: break
    else: continue
    async with a as b, c: pass
    await x
    return [i async for i in x if i], {i for i in x}, {i: j for i, j in x}, (i for i in x)
while x: pass
with a as (b, *c): pass
for a, [b, *c] in x: pass
f'{x!r:>{y}}' + u'a'
a < b <= c is not d not in e and f or not g
(w := 1), x if y else z, {**a, 'b': 1}, {1, *b}, [*c], a[1:2:3, ..., None], f(*a, k=1, **b)
a @= b; a <<= 1; a //= 2; a **= -~+3
yield from x
"""
if sys.version_info >= (3, 12):
    EVERYTHING += "type X[T: int, *Ts, **P] = int\ndef n[T](a: T) -> T: pass\nclass N[T]: pass\n"
if sys.version_info >= (3, 14):
    EVERYTHING += "t'{x!r:>{y}} {z}'\n"
SHARED = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)


def kinds(nodes: object) -> Counter[str]:
    """How often each kind of node comes."""
    return Counter(type(node).__name__ for node in nodes if not isinstance(node, SHARED))  # type: ignore[attr-defined]


def test_everything_is_in_it() -> None:
    left_out = {"Expression", "Interactive", "FunctionType", "TypeIgnore", "Suite", "Param", "AugLoad",
                "AugStore", "Index", "ExtSlice", "Num", "Str", "Bytes", "NameConstant", "Ellipsis"}  # fmt: skip
    concrete = {
        name
        for name, kind in vars(ast).items()
        if isinstance(kind, type)
        and issubclass(kind, (ast.stmt, ast.expr, ast.pattern, ast.excepthandler))
        and not kind.__subclasses__()
        and not issubclass(kind, SHARED)
        and kind.__module__ == "ast"
        and not name.startswith("_")
    }
    assert concrete - left_out <= set(kinds(ast.walk(ast.parse(EVERYTHING))))


def test_walking_is_that_of_python() -> None:
    tree = ast.parse(EVERYTHING)
    assert kinds(walk(tree)) == kinds(ast.walk(tree))


def test_analysing_it() -> None:
    survive(around(EVERYTHING))
    survive(
        around("def outer(x):\n" + "".join(f"    {line}\n" for line in EVERYTHING.splitlines()))
    )
