"""Odd programs: very large, very deep, circular, and from the corners of the grammar.

Each holds a VJP of a ref that is applied without a gradient ref, after what is odd in it, so that what is
odd is analysed and not passed over.
"""

from __future__ import annotations

HEAD = "import jax\nimport jax.numpy as jnp\nr = jax.new_ref(jnp.ones(3))\n"
TAIL = """
value, f_vjp = jax.vjp(lambda ref: jnp.sum(ref[...]), r)
grads = f_vjp(1.0)
"""


def around(middle: str) -> str:
    """A program with the mistake behind `middle`."""
    return f"{HEAD}{middle}{TAIL}"


def _nested(opening: str, closing: str, depth: int = 5000, core: str = "r") -> str:
    return f"x = {opening * depth}{core}{closing * depth}\n"


def _blocks(keyword: str, depth: int) -> str:
    lines = [f"{' ' * level}{keyword}" for level in range(depth)]
    return "\n".join([*lines, " " * depth + "r[...] += 1", ""])


LARGE = {
    "a line of a megabyte": f"x = [{('r, ' + repr('-' * 200) + ', ') * 5_000}]\n",
    "a string of a megabyte": f"x = '{'é😀' * 250_000}'\n",
    "a comment of a megabyte": f"x = r  # {'-' * 1_000_000}\n",
    "a sum of 20,000 terms": f"x = {' + '.join(['r[...]'] * 20_000)}\n",
    "a chain of 20,000 comparisons": f"x = {' < '.join(['r[...]'] * 20_000)}\n",
    "a condition of 20,000 parts": f"x = {' and '.join(['r'] * 20_000)}\n",
    "a string of 20,000 parts": f"x = {' '.join(['b'] * 20_000)}\n".replace("b", "''"),
    "a call of 5,000 arguments": f"x = jax.vjp(lambda *a: 0.0, {', '.join(['r'] * 5_000)})\n",
    "5,000 assignments": "".join(
        f"x{i} = jax.new_ref(x{i - 1} if 0 else r[...])\n" for i in range(5_000)
    ),
    "2,000 functions": "".join(
        f"def f{i}(ref):\n    ref[...] = f{i - 1}(ref)\n" for i in range(2_000)
    ),
    "1,000 nested dicts": f"x = {'{0: ' * 1_000}r{'}' * 1_000}\n",
    "100 conditions in a row": "x = r\n"
    + "".join(f"if a{i}:\n    x = (x, r)\n" for i in range(100)),
    "60 conditions that double a value": "".join(f"if a{i}:\n    r = (r, r)\n" for i in range(60)),
    "a tuple doubled 60 times": "x = (r, r)\n" + "x = (x, x)\n" * 60,
    "a list added to itself 60 times": "x = [r]\n" + "x = x + x\n" * 60,
    "a string doubled 60 times": "x = 'r'\n" + "x = x * 2 + x\n" * 60,
    "a string put into itself 30 times": "x = 'rr'\n" + "x = x.replace('r', x)\n" * 30,
    "a list extended by itself 60 times": "x = [r]\n" + "x.extend(x)\n" * 60,
    "a list augmented by itself 60 times": "x = [r]\n" + "x += x\n" * 60,
    "a list with itself inside 60 times": "x = [r]\n" + "x = [*x, *x]\n" * 60,
    "a tuple with itself inside 60 times": "x = (r,)\n" + "x = (*x, *x)\n" * 60,
    "a power of a call": "x = pow(2, 10 ** 9)\ny = pow(3, 10 ** 9, 10 ** 99)\n",
    "ranges beyond all lists": "x = len(range(10 ** 30))\ny = 1.5 in range(10 ** 18)\nz = range(10 ** 30)[3]\nw = list(range(10 ** 30))\nfor i in range(10 ** 30):\n    x = i\n",
    "a power tower": "x = 9 ** 9 ** 9 ** 9\ny = 1 << 10 ** 12\nz = 'a' * 10 ** 12\n",
    "a range without end": "x = [r for _ in range(10 ** 18)]\nfor i in range(10 ** 18):\n    x.append(r)\n",
    "a huge shape": "x = jax.new_ref(jnp.zeros((10 ** 9,) * 40))\ny = x[...].reshape(-1)\n",
    "many dimensions": f"x = jnp.zeros(({'1, ' * 3_000}))\ny = x + x.T\nz = jnp.transpose(x)\n",
    "a tree of 4,096 leaves": "x = r[...]\n"
    + "x = [x, x]\n" * 12
    + "y = jax.tree.map(jax.new_ref, x)\n",
}

DEEP = {
    "parentheses": _nested("(", ")"),
    "lists": _nested("[", "]"),
    "tuples": _nested("(", ",)"),
    "calls": _nested("f(", ")"),
    "calls of calls": f"x = jax.vjp{'(r)' * 5000}\n",
    "attributes": f"x = r{'.at' * 5000}\n",
    "subscripts": f"x = r{'[0]' * 5000}\n",
    "minus": _nested("-", ""),
    "not": _nested("not ", ""),
    "lambdas": _nested("lambda: ", ""),
    "conditional expressions": _nested("r if r else ", "", 3000),
    "jit of jit": _nested("jax.jit(", ")", 2000, "lambda v: v"),
    "vjp of vjp": _nested("jax.vjp(", ", r)[1]", 300, "lambda v: v"),
    "comprehensions": _nested("[", " for _ in r]", 150),
    "f-strings": _nested("f'{", "}'", 100),
    "ifs": _blocks("if r:", 95),
    "fors": _blocks("for i in range(3):", 19),
    "whiles": _blocks("while r:", 19),
    "withs": _blocks("with r:", 19),
    "defs": _blocks("def f(r=r):", 95),
    "classes": _blocks("class C:", 95),
    "open parentheses": "x = " + "(" * 5000 + "\n",
    "closing parentheses": "x = " + ")" * 5000 + "\n",
    "a power of powers": f"x = {' ** '.join(['r[...]'] * 3_000)}\n",
    "else ifs": "if r:\n    pass\n" + "elif r:\n    r[...] = 1\n" * 2_000,
}

CIRCULAR = {
    "a list in itself": "x = [r]\nx.append(x)\nx[1][1][1][0][...] = 1\ny = jax.tree.map(lambda v: v, x)\nprint(x == x)\n",
    "a dict in itself": "x = {'r': r}\nx['x'] = x\nfor k, v in x['x']['x'].items():\n    jax.freeze(v)\n",
    "two lists in each other": "x, y = [], []\nx.append(y)\ny.append(x)\nx == y\njax.vjp(lambda t: t[0], x)\n",
    "an object in itself": "class C:\n    pass\nx = C()\nx.x = x\nx.r = r\nx.x.x.x.r[...] += 1\njax.jit(lambda c: c.x)(x)\n",
    "a class in itself": "class C:\n    r = r\nC.C = C\nC.C.C.r[...] = 1\n",
    "a class of itself": "class C(C):\n    pass\nclass D(E): pass\nclass E(D): pass\nD().r\n",
    "a function of itself": "def f(f=None):\n    return f(f)\nf(f)\nf = f\nf = jax.jit(f)\nf = jax.vmap(f)\n",
    "a function as its own attribute": "def f(): pass\nf.f = f\nf.f.f.f()\n",
    "recursion without end": "def f(x):\n    x[...] = 1\n    return f(x)\nf(r)\n",
    "mutual recursion": "def f(x):\n    return g(x, x)\ndef g(x, y):\n    return f((x, y))\nf(r)\n",
    "recursion that grows": "def f(x):\n    return f([x, x]) + f((x,))\nf(r)\n",
    "a loop that grows": "x = r\nwhile x:\n    x = [x, r]\nfor _ in range(9):\n    x = {'x': x}\n",
    "a loop over what it adds to": "x = [r]\nfor y in x:\n    x.append(jax.new_ref(y[...]))\n",
    "a dict that grows in its loop": "x = {}\nfor i in range(100):\n    x[i] = x\n    x[r] = i\n",
    "partial of itself": "import functools\np = functools.partial(print)\nfor _ in range(50):\n    p = functools.partial(p, p)\np(p)\n",
    "a decorator of itself": "@d\ndef d(f):\n    @d\n    def g(): return d\n    return g\n",
    "a property of itself": "class C:\n    @property\n    def c(self):\n        return self.c.c\nC().c[...]\n",
    "getattr for itself": "class C:\n    def __getattr__(self, n):\n        return getattr(self, n)\nC().r\n",
    "iter of itself": "class C:\n    def __iter__(self):\n        return iter(self)\n    def __getitem__(self, i):\n        return self[i]\n[*C()]\nC()[0]\n",
    "call of itself": "class C:\n    def __call__(self, *a):\n        return self(self)\njax.vjp(C(), r)\n",
    "types of themselves": "T = list['T']\nU = 'U'\ndef f(x: 'f', y: 'T' = 1) -> 'f(x)':\n    y: y = x\n    return y\n",
    "a type alias of itself": "type T = dict[str, T]\ndef f[T: T](x: T) -> T: return x\n",
    "a dataclass of itself": "import dataclasses\n@dataclasses.dataclass\nclass N:\n    n: 'N | None'\n    r: jax.Ref\nn = N(None, r)\nn.n = n\njax.tree.map(lambda x: x, n)\nn.n.n.r[...] = 1\n",
    "a VJP of itself": "v, f = jax.vjp(lambda x: x, r)\nf.f = f\nf = f.with_refs(f)\nf = f(f)\n",
    "a bound VJP that is bound": "f = jax.vjp(lambda x: x[...], r)[1]\nfor _ in range(9):\n    f = f.with_refs(r)\n",
    "a scan of its own result": "c = r[...]\nfor _ in range(20):\n    c, y = jax.lax.scan(lambda c, x: (c, c), c, c)\n    c = y\n",
    "an import of itself": "import program\nfrom program import *\nfrom program import r as q, program\nprogram.program.r[...] = 1\n",
    "a generator of itself": "def g():\n    yield from g()\n    yield r\n[*g()]\n",
}

ODD = {
    "empty": "",
    "nothing but ends of lines": "\n\r\n\r\n\n",
    "continued lines": "x = \\\n\\\n r\\\n[\\\n...]\n",
    "semicolons": "x = r;;\ny = r; z = r[...];\n",
    "form feeds": "x = r\x0c\n\x0cy = r[...]\n",
    "line separators": "x = 'a\u2028b'\ny = r  # \x85 \x0b \x1c\n",
    "combining characters": "é = r\né = é\nｒ = r\nｒ[...] = 1\n",
    "characters beyond the first plane": "𝐫 = r\n'😀😀'; 𝐫[...] = '😀'\n𝓯 = jax.vjp(lambda x: x[...], 𝐫)[1]; '😀'; 𝓯(1.0)\n",
    "no characters": "x = '\x00'\ny = \x00\n",
    "halves of characters": "x = '\ud83d'\ny = r  # \ude00\n",
    "a mark of byte order inside": "x = r\n\ufeffy = r[...]\n",
    "directions": "x = r  # \u202e\u2066\ny\u200d = r\n",
    "walrus": "if (x := r) is (y := x):\n    [z := q for q in [x]]\n    z[...] = (w := 1)\n",
    "match": "match r, {'a': r}:\n    case [x, {'a': y, **z}] if x: x[...] = 1\n    case jax.Ref(a=1) | int() as q: q\n    case (1 | 2, *_) | None: pass\n    case _: r\n",
    "exception groups": "try:\n    r()\nexcept* (A, B) as e:\n    e.r\nelse:\n    r[...] = 1\nfinally:\n    del r\n    r = jax.new_ref(1.0)\n",
    "async": "async def f():\n    async with r as x, r:\n        async for y in x: await y\n    return [z async for z in r if await z]\nawait f()\n",
    "everything of parameters": "def f(a, /, b=r, *c, d, e=(yield), **g): return locals()\nf(r, *r, d=r, **r, **{})\nlambda *a, k=r, **q: (a, k, q)\n",
    "everything of targets": "(a, *b), c.d, e[f] = [g] = *h, = r\na: int\n(a): r = 1\na.b: int = r\nfor a.b[c], *d in r: pass\nwith r as (a, [b, *c]): pass\ndel a, (b, [c]), r[0], a.b\nr = jax.new_ref(1.0)\n",
    "everything of slices": "r[:], r[::], r[1:2:3], r[..., None], r[*r], r[()], r[a:=1, b], r[lambda: 0]\nr[r[r]] = r\n",
    "everything of operators": "r @= r\nr //= r\nr **= -r\nr = ~r @ +r if not r else r is not r not in r\n-r[...] ** -r[...]\nr = jax.new_ref(1.0)\n",
    "scopes": "def f():\n    global r\n    def g():\n        nonlocal q\n        q = r\n        del r\n    q = g\n    return q\nf()()\nclass C:\n    r = r\n    def f(self): return __class__, super().r\nC().f()\n",
    "yields": "def f():\n    x = yield\n    y = yield from (yield x)\n    return (yield)\nf().send(r)\n[(yield) for _ in r]\n",
    "names of the language": "print = jax = r\nNone_ = ...\n__debug__\n__name__ = r\ntype = match = case = _ = r\ntype\nimport jax\n",
    "builtins taken": "range = len = zip = list = dict = isinstance = super = r\nlist(range(len(r)))\nimport builtins\n",
    "numbers": "x = 0xdead_beef + 0b1 + 0o7 + 1_000.5e-3 + 10j + .5 + 1e400\nr[10 ** 400] = -10 ** 400\nr[1e400:True]\n",
    "strings": "x = rb'\\x' b'' + Rb''\ny = f'{r!r:>{r}} {{}} {r=}' rf'\\{r}' u'' '\\N{DIGIT ONE}'\nz = '\\ud800'\n",
    "comments for jaxref": "r  # jaxref: ignore[\nr  # jaxref: ignore[]]\nr  # jaxref: ignore[a,,b -- \n# jaxref: ignore-file[x]\nr  # jaxref:\n# jaxref: disable\n",
    "stars of imports": "from jax import *\nfrom jax.numpy import *\nfrom .. import *\nfrom ...... import x\nimport a.b.c as d, jax as jax\nfrom __future__ import annotations\n",
    "what is not there": "jax.nothing(r).more[...] += jax.vjp.vjp\njax.vjp()\njax.vjp(r)\njax.vjp(r, r)\njax.vjp(1, 2)(3)\njax.new_ref()\njax.new_ref(*r, **r)\njax.freeze(jax)\njax.jit()\njax.jit(1)(2)\njax.lax.scan()\njax.vmap(r)(r)\njax.grad(None)(None)\n",
    "wrong numbers of things": "a, b, c = jax.vjp(lambda: 0)\n(a,) = jax.vjp(lambda x: x, r)\nf = jax.vjp(lambda x: x, r)[7]\nx = (1, 2)[9]\ny, *z, w = ()\n",
    "shadows of modules": "import jax.numpy as jax\njax.new_ref = r\njax.numpy = jax\njnp = jax\ndel jax\nimport jax\nimport jax.numpy as jnp\n",
    "deleted and used": "del r\nr[...] = 1\nr = jax.new_ref(1.0)\ndel jnp\nimport jax.numpy as jnp\n",
    "behind the end": "raise SystemExit\n",
    "half a def": "def f(:\n    r[...]\nclass\nif r\n    x\n",
    "tabs and spaces": "if r:\n\tx = r\n        y = r\n",
    "an unfinished string": "x = '''\n",
    "an unfinished bracket": "x = [r,\n",
    "dedents": "    x = r\n  y = r\nz = r\n      r[...]\n",
    "Python 2": "print r\nexec 'r'\nraise E, r\nexcept E, e:\n`r`\nur''\n0777\nr <> r\n",
    "merge marks": "<<<<<<< HEAD\nx = r\n=======\nx = r[...]\n>>>>>>> other\n",
    "a diff": "--- a\n+++ b\n@@ -1 +1 @@\n-x = r\n+x = r[...]\n",
}  # fmt: skip

PROGRAMS = {
    f"{kind}: {name}": around(middle)
    for kind, programs in (
        ("large", LARGE),
        ("deep", DEEP),
        ("circular", CIRCULAR),
        ("odd", ODD),
    )
    for name, middle in programs.items()
}
