"""How one analysis grows: with lines, refs, call depth, branches, nesting. Processor time, best of five.

usage: python benchmarks/growth.py [--json FILE]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from report import keep

from jaxref.engine import Snapshot, analyse
from jaxref.settings import Settings

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


SERIES: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "functions without refs": (lines, (100, 300, 1000, 3000)),
    "refs": (refs, (10, 30, 100, 300)),
    "call depth": (depth, (5, 10, 20, 35)),
    "branches": (alternatives, (5, 10, 20, 40)),
    "nested tuples": (nesting, (20, 40, 80, 160)),
}


def seconds(text: str) -> float:
    """Processor seconds of the fastest of five analyses."""
    best = float("inf")
    for index in range(5):
        # A comment of its own keeps parsed trees from being reused.
        snapshot = Snapshot("growth.py", f"{text}# {index}\n")
        began = time.process_time()
        analyse(snapshot, Settings())
        best = min(best, time.process_time() - began)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json")
    arguments = parser.parse_args()
    figures: dict[str, dict[str, list[float]]] = {}
    print("| grows with | " + " | ".join(["size", "ms", "ms per item"]) + " |\n|---|---|---|---|")
    for name, (make, sizes) in SERIES.items():
        for size in sizes:
            spent = 1000 * seconds(make(size))
            figures.setdefault(f"growth with {name}", {})[str(size)] = [spent]
            print(f"| {name} | {size} | {spent:.1f} | {spent / size:.3f} |")
    keep(figures, arguments.json)


if __name__ == "__main__":
    main()
