"""Places where a VJP may be applied: each is `SETUP` and a few lines more."""

from __future__ import annotations

SETUP = """\
import sys
import jax
import jax.numpy as jnp

def f(w, x):
    return jnp.sum(w[...] * x ** 2)

w, x = jax.new_ref(jnp.ones(2)), jnp.ones(2)
y, back = jax.vjp(f, w, x)
"""

PLACES = {
    "andor": "ok = y > 0 and back(1.0)[0].sum() > 0\n",
    "annassign": "g: jax.Array = back(1.0)[0]\nprint(g)\n",
    "annwhole": "g: tuple = back(1.0)\nprint(g[0])\n",
    "assert": 'assert back(1.0)[0].shape == (2,), "no"\n',
    "attrs": "class O: pass\no = O()\no.dw, o.dx = back(1.0)\nprint(o.dw)\n",
    "aug": "total = jnp.zeros(2)\ntotal += back(1.0)[0]\n",
    "await": "async def co():\n    dw, dx = back(1.0)\n    return dw\nimport asyncio\nasyncio.run(co())\n",
    "backslash": "dw, dx = \\\n    back(1.0)\nprint(dw)\n",
    "call kw": "def use(*, grads): return grads[0] + 1\nuse(grads=back(1.0))\n",
    "chained": "a = b = back(1.0)[0]\nprint(a, b)\n",
    "classbody": "class A:\n    g = back(1.0)[0]\nprint(A.g)\n",
    "comment": "dw, dx = back(  # the pullback\n    1.0,  # seed\n)  # end\nprint(dw)\n",
    "deep": "v = back(1.0)[0][0] + 1\n",
    "default": "def h(g=back(1.0)[0]):\n    return g\nh()\n",
    "deleted": "del w\ndw, dx = back(1.0)\nprint(dw)\n",
    "dictv": 'd = {"g": back(1.0), "y": y}\n',
    "docstr": 'def g():\n    """Doc."""\n    return back(1.0)[0]\ng()\n',
    "elif": "if y > 100:\n    pass\nelif y > 0:\n    dw, dx = back(1.0); print(dw)\nelse: back(1.0)\n",
    "forloop": "for g in back(1.0):\n    print(g)\n",
    "fstring": 'text = f"{back(1.0)[0]} and {y}"\n',
    "gencomp0": "gs = [g + 1 for g in back(1.0)]\n",
    "global": "def g():\n    global dw\n    dw, dx = back(1.0)\n    return dx\ng()\nprint(dw)\n",
    "inline": "dw, dx = jax.vjp(f, w, x)[1](1.0)\nprint(dw)\n",
    "inline2": "(dw, dx), aux = jax.vjp(lambda w, x: (f(w, x), 1), w, x, has_aux=True)[1](1.0), 3\nprint(dw)\n",
    "items": 'grads = {}\ngrads["w"], _ = back(1.0)\nprint(grads["w"])\n',
    "kwprint": "print(back(1.0)[0], file=sys.stderr)\n",
    "lambda": "g = (lambda ct: back(ct))(1.0)\nprint(g[0] + 1)\n",
    "listcomp": "gs = [back(ct)[0] for ct in (1.0, 2.0)]\n",
    "listtarget": "[dw, dx] = back(1.0)\nprint(dw)\n",
    "match": "match back(1.0):\n    case (a, b):\n        print(a, b)\n",
    "multi": "dw, dx = pair = back(1.0)\nprint(dw, pair)\n",
    "negindex": "g = back(1.0)[-2]\nprint(g)\n",
    "nested": "def outer(w):\n    y, back = jax.vjp(f, w, x)\n    def inner(w_grad):\n        dw, dx = back(1.0)\n        return dw + w_grad\n    return inner(1.0)\nouter(w)\n",
    "pair": "a, g = 1, back(1.0)[0]\nprint(g)\n",
    "parens": "dw, dx = ((back)\n  (1.0)) if True else None\n",
    "parens2": "dw, dx = (back\n  (\n   1.0\n  ))\nprint(dw)\n",
    "rebound": "w = jax.new_ref(jnp.ones(3))\ndw, dx = back(1.0)\nprint(dw)\n",
    "returned": "def g():\n    y, back = jax.vjp(f, w, x)\n    return y, back(1.0)\ng()[1][0]\n",
    "sameline": "dw, dx = back(1.0); dw2, dx2 = back(2.0)\nprint(dw, dw2)\n",
    "shadow": "def outer(w):\n    y, back = jax.vjp(f, w, x)\n    def inner(w):\n        dw, dx = back(1.0)\n        return dw + w\n    return inner(1.0)\nouter(w)\n",
    "slice": "g = back(1.0)[:1]\nprint(g[0] + 1)\n",
    "star call": "def use(a, b): return a + b\nuse(*back(1.0))\n",
    "starred": "*rest, dx = back(1.0)\nprint(rest[0] + dx)\n",
    "sum": "total = sum(jnp.sum(g) for g in back(1.0))\n",
    "ternary": "def g(flag):\n    return back(1.0)[0] if flag else None\ng(True)\n",
    "treemap": "new = jax.tree.map(lambda p, g: p - 0.1 * g, (jnp.ones(2), x), back(1.0))\n",
    "try": 'try:\n    dw, dx = back(1.0)\nexcept KeyError:\n    raise\nelse:\n    print(dw)\nfinally:\n    print("done")\n',
    "twice": "dw, dx = back(1.0)\nprint(dw)\ndw, dx = back(2.0)\nprint(dw)\n",
    "walrus": "if (g := back(1.0))[0].sum() > 0:\n    print(g)\n",
    "whilebody": "n = 0\nwhile n < 2:\n    n += 1\n    dw, dx = back(1.0)\n    print(dw)\n",
    "with": "import contextlib\nwith contextlib.nullcontext(back(1.0)[0]) as c:\n    print(c)\n",
    "yield": "def gen():\n    yield back(1.0)\nprint(list(gen()))\n",
}
