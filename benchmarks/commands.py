"""Commands side by side: start-up, one small file, whole repositories; whole processes, in turns.

usage: python benchmarks/commands.py [--turns N] [--patience SECONDS] [--json FILE] [FOLDER ...]

FOLDER is the checkout of a repository. Nothing is kept from other runs, but for "kept": jaxref once more
with its cache, as a second run has it. A tool that takes longer than --patience is left out there.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from files import SMALL
from peers import install, peers, surroundings
from report import Samples, add, keep, table

JAXREF = (sys.executable, "-m", "jaxref")


def milliseconds(command: list[str], patience: float) -> float | None:
    """Of one run of a whole process, whatever it exits with; None when it takes too long."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=surroundings(),
        start_new_session=True,
    )
    # Waiting with a time limit looks every now and then, up to 50 ms late. What it has started would go on
    # otherwise, beside what is measured next.
    limit = threading.Timer(patience, os.killpg, (process.pid, signal.SIGKILL))
    limit.start()
    process.wait()
    limit.cancel()
    if time.perf_counter() - began >= patience:
        return None
    return 1000 * (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--patience", type=float, default=300.0, help="seconds for one run")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    install()
    figures: Samples = {}
    given_up = set()

    def run(name: str, tool: str, command: list[str]) -> None:
        if (name, tool) in given_up:
            return
        taken = milliseconds(command, arguments.patience)
        if taken is None:
            given_up.add((name, tool))
            print(f"{tool} on {name}: longer than {arguments.patience:.0f} s", flush=True)
        else:
            add(figures, name, tool, taken)

    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.py"
        small.write_text(SMALL)
        kept = [*JAXREF, "check", "--exit-zero", "--cache-dir", f"{folder}/cache"]
        # Bytecode and cache are there, as they are after the first run of all.
        milliseconds([*kept, str(small)], arguments.patience)
        for _ in range(arguments.turns):
            run("a bare Python", "jaxref", [sys.executable, "-c", "pass"])
            run("--version", "jaxref", [*JAXREF, "--version"])
            for peer in peers():
                run("one small file", peer.name, [*peer.check, str(small)])
            run("one small file, kept", "jaxref", [*kept, str(small)])
        for repository in arguments.folders:
            milliseconds([*kept, str(repository)], arguments.patience)
            for _ in range(min(arguments.turns, 3)):
                for peer in peers():
                    run(repository.name, peer.name, [*peer.check, str(repository)])
                for peer in peers(["ruff"]):
                    run(f"{repository.name}, kept", peer.name, [*peer.check, str(repository)])
                run(f"{repository.name}, kept", "jaxref", [*kept, str(repository)])
    print(table(figures))
    keep(figures, arguments.json)


if __name__ == "__main__":
    main()
