"""How one analysis grows: with lines, refs, call depth, branches, nesting, what a name may be, open files;
and how that grows which takes over from the text before an edit.

Processor time, best of five.

usage: python benchmarks/growth.py [--json FILE]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping

from files import dense
from report import keep

from jaxref.engine import Snapshot, analyse
from jaxref.settings import Settings

NOTHING_OPEN: Mapping[str, str] = {}
HEAD = "import jax\nimport jax.numpy as jnp\n"


def lines(count: int) -> str:
    """A module of `count` functions that have nothing to do with refs."""
    return HEAD + "".join(
        f"@jax.jit\ndef f{i}(x):\n    y = x + {i}\n    return y * 2\n" for i in range(count)
    )


def refs(count: int) -> str:
    """`count` refs, each differentiated and applied."""
    one = "r{0} = jax.new_ref(jnp.zeros({0} + 1))\n_, v{0} = jax.vjp(lambda r: r[...].sum(), r{0})\nv{0}(1.0)\n"
    return HEAD + "".join(one.format(i) for i in range(count))


def depth(count: int) -> str:
    """A chain of `count` helpers that hand a ref on."""
    chain = "".join(f"def g{i}(r):\n    return g{i - 1}(r)\n" for i in range(1, count))
    return f"{HEAD}def g0(r):\n    return r[...]\n{chain}g{count - 1}(jax.new_ref(1.0))\n"


def alternatives(count: int) -> str:
    """`count` branches in a row, each of which may replace a ref."""
    body = "".join(f"if flags[{i}]:\n    r = jax.new_ref({float(i)})\n" for i in range(count))
    return f"{HEAD}import sys\nflags = sys.argv\nr = jax.new_ref(0.0)\n{body}r[...] += 1.0\n"


def nesting(count: int) -> str:
    """A tuple that `count` branches in a row may each put into another one."""
    body = "".join(f"if flags[{i}]:\n    t = (t, {i})\n" for i in range(count))
    return f"{HEAD}import sys\nflags = sys.argv\nt = (jax.new_ref(0.0),)\n{body}"


def one_of_refs(count: int) -> str:
    """A name that is one of `count` refs, written and differentiated."""
    body = "".join(f"if flag == {i}:\n    r = jax.new_ref(jnp.zeros({i}))\n" for i in range(count))
    use = "r[...] += 1.0\n_, f_vjp = jax.vjp(lambda r: r[...].sum(), r)\nf_vjp(1.0)\n"
    return f"{HEAD}import sys\nflag = len(sys.argv)\nr = jax.new_ref(0.0)\n{body}{use}"


def one_of_functions(count: int) -> str:
    """A name that is one of `count` functions, called with a ref and differentiated."""
    one = "def f{0}(r):\n    r[...] += {0}\n    return r[...]\nif flag == {0}:\n    f = f{0}\n"
    body = "".join(one.format(i) for i in range(count))
    use = "r = jax.new_ref(0.0)\nf(r)\njax.grad(f)(r)\n"
    return f"{HEAD}import sys\nflag = len(sys.argv)\nf = lambda r: r[...]\n{body}{use}"


def among(count: int) -> str:
    """A module that imports one of `count` files that are open in an editor."""
    return f"{HEAD}from opened import r\nr[...] += jnp.zeros({count})\n"


def opened(count: int) -> dict[str, str]:
    """The texts of `count` files by path, one of which `among` imports."""
    folder = os.path.abspath("no-such-folder")
    names = ("opened", *(f"other_{i}" for i in range(1, count)))
    return {os.path.join(folder, f"{name}.py"): refs(10) + "r = r0\n" for name in names}


SERIES: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "functions without refs": (lines, (100, 300, 1000, 3000)),
    "refs": (refs, (10, 30, 100, 300)),
    "call depth": (depth, (5, 10, 20, 35)),
    "branches": (alternatives, (5, 10, 20, 40)),
    "nested tuples": (nesting, (20, 40, 80, 160)),
    "refs that a name may be": (one_of_refs, (5, 10, 20, 40, 80)),
    "functions that a name may be": (one_of_functions, (5, 10, 20, 40, 80)),
    "open files": (among, (1, 10, 100, 1000)),
}


def seconds(text: str, others: Mapping[str, str] = NOTHING_OPEN) -> float:
    """Processor seconds of the fastest of five analyses, with `others` open in the same folder."""
    best = float("inf")
    path = os.path.join(os.path.dirname(next(iter(others), "")), "growth.py")
    for index in range(5):
        # A comment of its own keeps parsed trees from being reused.
        snapshot = Snapshot(path, f"{text}# {index}\n", overlay=others)
        began = time.process_time()
        analyse(snapshot, Settings())
        best = min(best, time.process_time() - began)
    return best


EDITED = "lines of a file that is edited"
"""All dense with refs; edited is one function."""
LINES = (1000, 3000, 10_000, 30_000)


def seconds_of_edit(lines: int) -> float:
    """Processor seconds of the fastest of ten analyses, each after an edit of one line in the middle."""
    text = dense(lines)
    at = text.index("return w_ref[...], dx", len(text) // 2)
    kept = analyse(Snapshot("growth.py", text, is_edited=True), Settings()).kept
    best = float("inf")
    for index in range(10):
        edited = f"{text[:at]}dx = dx + {index}; {text[at:]}"
        began = time.process_time()
        snapshot = Snapshot("growth.py", edited, is_edited=True, earlier=kept)
        kept = analyse(snapshot, Settings()).kept
        best = min(best, time.process_time() - began)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json")
    arguments = parser.parse_args()
    figures: dict[str, dict[str, list[float]]] = {}
    print("| grows with | " + " | ".join(["size", "ms", "ms per item"]) + " |\n|---|---|---|---|")

    def note(name: str, size: int, spent: float) -> None:
        figures.setdefault(f"growth with {name}", {})[str(size)] = [spent]
        print(f"| {name} | {size} | {spent:.1f} | {spent / size:.3f} |", flush=True)

    for name, (make, sizes) in SERIES.items():
        for size in sizes:
            others = opened(size) if make is among else NOTHING_OPEN
            spent = 1000 * seconds(make(size), others)
            note(name, size, spent)
    for size in LINES:
        note(EDITED, size, 1000 * seconds_of_edit(size))
    keep(figures, arguments.json)


if __name__ == "__main__":
    main()
