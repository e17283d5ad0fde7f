"""Language servers side by side: start, edit, hover, code actions, memory; one after the other, in turns.

usage: python benchmarks/servers.py [--turns N] [--rounds N] [--jax FOLDER] [--only NAME,...] [--json FILE]

Measured on generated files dense with refs and, with --jax, on `jax/_src/api.py` of a checkout of JAX,
in a folder that holds nothing else. An edit inserts a line with a name that is not defined in the middle
of the file, or removes it; the time is from sending it to having the diagnostics of that version, pushed,
or pulled where the server offers that. A server that takes longer than --patience is left out there.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import tempfile
import time
from pathlib import Path

from client import Client, TooSlow
from files import SMALL, dense
from peers import Peer, install, peers
from report import Samples, add, keep, table

_IDENTIFIER = re.compile(r"\w+_ref\b|\bf_vjp\b|(?<=    )\w+(?= = )")


def measure(peer: Peer, path: Path, rounds: int, patience: float, figures: Samples) -> None:
    """One server with one file: all figures of it."""
    text = path.read_text(encoding="utf-8")
    uri = path.as_uri()
    started = time.perf_counter()
    client = Client(peer, path.parent, patience)
    try:
        client.initialize(path.parent)
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": document})
        client.diagnostics(uri, 1)
        add(figures, f"{path.stem}: start to first diagnostics", peer.name, _since(started))
        for index in range(rounds):
            began = time.perf_counter()
            client.notify("textDocument/didChange", _edit(text, uri, index))
            client.diagnostics(uri, index + 2)
            add(figures, f"{path.stem}: edit to diagnostics", peer.name, _since(began))
        for position in _positions(text, rounds):
            place = {"textDocument": {"uri": uri}, "position": position}
            began = time.perf_counter()
            client.request("textDocument/hover", place)
            add(figures, f"{path.stem}: hover", peer.name, _since(began))
        for position in _positions(text, rounds):
            where = {"start": position, "end": position}
            began = time.perf_counter()
            client.request(
                "textDocument/codeAction",
                {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}},
            )
            add(figures, f"{path.stem}: code actions", peer.name, _since(began))
        add(figures, f"{path.stem}: memory", peer.name, client.memory())
    finally:
        client.close()


def _since(began: float) -> float:
    return 1000 * (time.perf_counter() - began)


def _edit(text: str, uri: str, index: int) -> dict[str, object]:
    """The parameters of the edit with this number: every second one takes back the one before."""
    middle = text.count("\n") // 2
    start, end = {"line": middle, "character": 0}, {"line": middle + 1, "character": 0}
    new = f"not_defined_{index}\n" if index % 2 == 0 else ""
    change = {"range": {"start": start, "end": start if new else end}, "text": new}
    return {"textDocument": {"uri": uri, "version": index + 2}, "contentChanges": [change]}


def _positions(text: str, count: int) -> list[dict[str, int]]:
    """So many places of names, all over the text."""
    found = list(_IDENTIFIER.finditer(text))
    places = []
    for one in found[:: max(1, len(found) // count)][:count]:
        line = text.count("\n", 0, one.start())
        places.append(
            {"line": line, "character": one.start() - text.rfind("\n", 0, one.start()) - 1}
        )
    return places


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--patience", type=float, default=60.0, help="seconds for one answer")
    parser.add_argument("--jax", type=Path, help="a checkout of JAX")
    parser.add_argument("--only", help="names of tools, separated by commas")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    install()
    figures: Samples = {}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        texts = {f"dense {lines}": dense(lines) for lines in (1000, 3000, 10_000)}
        texts = {"small": SMALL, **texts}
        if arguments.jax is not None:
            texts["api.py"] = (arguments.jax / "jax" / "_src" / "api.py").read_text()
        for name, text in texts.items():
            path = Path(folder, name.replace(" ", "-"), f"{name.removesuffix('.py')}.py")
            path.parent.mkdir()
            path.write_text(text)
            files.append(path.resolve())
        tools = peers(arguments.only.split(",") if arguments.only else None)
        given_up = set()
        for peer in tools:
            # Once before all: files come from the disk, and Python compiles its bytecode.
            with contextlib.suppress(TooSlow):
                measure(peer, files[0], 2, arguments.patience, {})
        for turn in range(arguments.turns):
            for path in files:
                for peer in tools:
                    if (peer, path) in given_up:
                        continue
                    try:
                        measure(peer, path, arguments.rounds, arguments.patience, figures)
                    except TooSlow as reason:
                        given_up.add((peer, path))
                        print(f"{peer.name} on {path.stem}, turn {turn + 1}: {reason}", flush=True)
    memory = {name: found for name, found in figures.items() if name.endswith("memory")}
    times = {name: found for name, found in figures.items() if name not in memory}
    print(table(times), table(memory, "MB"), sep="\n\n")
    keep(figures, arguments.json)


if __name__ == "__main__":
    main()
