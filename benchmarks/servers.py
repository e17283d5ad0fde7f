"""Language servers side by side: start to first diagnostics, edit to diagnostics, hover, memory.

usage: python benchmarks/servers.py [--rounds N] [--json FILE] FILE ...

Each FILE is opened in each server in turn. An edit inserts and removes a line in the middle; the time is
from sending the change to receiving diagnostics for its version (pushed, or pulled where the server
offers that). Servers that publish nothing for a clean file are asked by pull.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from peers import Peer, install, peers
from report import keep, table

PATIENCE = 120.0


class Client:
    """One server over stdio, driven in lock step."""

    def __init__(self, peer: Peer, folder: Path) -> None:
        self.process = subprocess.Popen(
            peer.server,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        self.ids = itertools.count(1)
        self.messages: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.pulls = False

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                return
            self.messages.put(json.loads(stream.read(length)))

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its answer."""
        number = next(self.ids)
        self.send({"id": number, "method": method, "params": params})
        return self.wait(lambda m: m.get("id") == number and "method" not in m)

    def wait(self, wanted: Any) -> dict[str, Any]:
        """The next message that is wanted; requests of the server are answered on the way."""
        end = time.monotonic() + PATIENCE
        while True:
            message = self.messages.get(timeout=max(0.1, end - time.monotonic()))
            if "method" in message and "id" in message:
                self._answer(message)
            if wanted(message):
                return message

    def _answer(self, message: dict[str, Any]) -> None:
        result: Any = None
        if message["method"] == "workspace/configuration":
            result = [None for _ in message["params"]["items"]]
        if message["method"] == "client/registerCapability":
            methods = [item["method"] for item in message["params"]["registrations"]]
            self.pulls = self.pulls or "textDocument/diagnostic" in methods
        self.send({"id": message["id"], "result": result})

    def initialize(self, folder: Path) -> None:
        """The handshake."""
        capabilities = {
            "general": {"positionEncodings": ["utf-16"]},
            "textDocument": {
                "diagnostic": {"dynamicRegistration": True},
                "publishDiagnostics": {"versionSupport": True},
                "hover": {"contentFormat": ["markdown"]},
            },
            "workspace": {"configuration": True},
        }
        uri = folder.as_uri()
        answer = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "capabilities": capabilities,
                "workspaceFolders": [{"uri": uri, "name": "bench"}],
            },
        )
        self.pulls = "diagnosticProvider" in answer["result"]["capabilities"]
        self.notify("initialized", {})

    def diagnostics(self, uri: str, version: int) -> None:
        """Wait for the diagnostics of a version."""

        def published(message: dict[str, Any]) -> bool:
            return bool(
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"]["uri"] == uri
                and message["params"].get("version", version) == version
            )

        if not self.pulls:
            # A server may register its wish to be asked after the first document is open.
            self.wait(lambda message: self.pulls or published(message))
        while self.pulls:
            answer = self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            if "error" not in answer:
                return

    def memory(self) -> float:
        """Resident memory of the process and its children in MB."""
        total = 0.0
        pending = [self.process.pid]
        while pending:
            pid = pending.pop()
            with contextlib.suppress(OSError):
                status = Path(f"/proc/{pid}/status").read_text()
                total += int(status.split("VmRSS:")[1].split()[0]) / 1024
                for task in Path(f"/proc/{pid}/task").iterdir():
                    pending += [int(child) for child in (task / "children").read_text().split()]
        return total

    def close(self) -> None:
        """End the server."""
        with contextlib.suppress(Exception):
            self.request("shutdown", None)
            self.notify("exit", None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()


@contextlib.contextmanager
def opened(peer: Peer, path: Path) -> Iterator[tuple[Client, float]]:
    """A server with one file open, and the seconds from its start to the first diagnostics."""
    started = time.perf_counter()
    client = Client(peer, path.parent)
    try:
        client.initialize(path.parent)
        document = {
            "uri": path.as_uri(),
            "languageId": "python",
            "version": 1,
            "text": path.read_text(),
        }
        client.notify("textDocument/didOpen", {"textDocument": document})
        client.diagnostics(path.as_uri(), 1)
        yield client, time.perf_counter() - started
    finally:
        client.close()


def edits(client: Client, path: Path, rounds: int) -> list[float]:
    """Milliseconds from a one-line edit in the middle to its diagnostics."""
    middle = len(path.read_text().splitlines()) // 2
    start, end = {"line": middle, "character": 0}, {"line": middle + 1, "character": 0}
    times = []
    for index in range(rounds):
        inserting = index % 2 == 0
        change = {
            "range": {"start": start, "end": start if inserting else end},
            "text": "_ = 0\n" if inserting else "",
        }
        version = index + 2
        began = time.perf_counter()
        client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": path.as_uri(), "version": version},
                "contentChanges": [change],
            },
        )
        client.diagnostics(path.as_uri(), version)
        times.append(1000 * (time.perf_counter() - began))
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    install()
    figures: dict[str, dict[str, list[float]]] = {}
    memory: dict[str, dict[str, list[float]]] = {}
    for path in (file.resolve() for file in arguments.files):
        for _ in range(arguments.turns):
            for peer in peers():
                try:
                    with opened(peer, path) as (client, first):
                        figures.setdefault(
                            f"{path.name}: start to first diagnostics", {}
                        ).setdefault(peer.name, []).append(1000 * first)
                        figures.setdefault(f"{path.name}: edit to diagnostics", {}).setdefault(
                            peer.name, []
                        ).extend(edits(client, path, arguments.rounds))
                        memory.setdefault(f"{path.name}: memory", {}).setdefault(
                            peer.name, []
                        ).append(client.memory())
                except (queue.Empty, OSError, KeyError) as error:
                    print(f"{peer.name} on {path.name}: {error!r}")
    print(table(figures))
    print()
    print(table(memory, "MB"))
    keep({**figures, **memory}, arguments.json)


if __name__ == "__main__":
    main()
