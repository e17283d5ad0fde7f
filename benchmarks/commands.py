"""Commands side by side: start-up, one small file, a whole folder; whole processes, in turns.

usage: python benchmarks/commands.py [--turns N] [--json FILE] [FOLDER ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from peers import install, peers
from report import keep, table

SMALL = """import jax
import jax.numpy as jnp
state_ref = jax.new_ref(jnp.zeros(3))
value, f_vjp = jax.vjp(lambda r: r[...].sum(), state_ref)
"""


def milliseconds(command: list[str]) -> float:
    """Of one run of a whole process, whatever it exits with."""
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return 1000 * (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    install()
    figures: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.py"
        small.write_text(SMALL)
        work = [("one small file", [str(small)], arguments.turns)]
        work += [(path.name, [str(path)], min(arguments.turns, 3)) for path in arguments.folders]
        for _ in range(arguments.turns):
            row = figures.setdefault("a bare Python", {})
            row.setdefault("jaxref", []).append(milliseconds([sys.executable, "-c", "pass"]))
            row = figures.setdefault("--version", {})
            row.setdefault("jaxref", []).append(
                milliseconds([sys.executable, "-m", "jaxref", "--version"])
            )
        for name, paths, turns in work:
            for _ in range(turns):
                for peer in peers():
                    row = figures.setdefault(name, {})
                    row.setdefault(peer.name, []).append(milliseconds([*peer.check, *paths]))
    print(table(figures))
    keep(figures, arguments.json)


if __name__ == "__main__":
    main()
