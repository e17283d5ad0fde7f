"""A language client that measures: one server over stdio, driven in lock step, never waiting for ever."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from peers import Peer, surroundings


class TooSlow(Exception):
    """A server did not answer in time, or ended."""


class Client:
    """A server that was started in `folder`. Every wait ends after `patience` seconds."""

    def __init__(self, peer: Peer, folder: Path, patience: float) -> None:
        self._patience = patience
        self.process = subprocess.Popen(
            peer.server,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=surroundings(),
            start_new_session=True,
        )
        self._ids = itertools.count(1)
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._pulls = False
        threading.Thread(target=self._read, daemon=True).start()

    def initialize(self, folder: Path) -> None:
        """The handshake."""
        uri = folder.as_uri()
        answer = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "capabilities": {
                    "general": {"positionEncodings": ["utf-16"]},
                    "textDocument": {
                        "diagnostic": {"dynamicRegistration": True},
                        "publishDiagnostics": {"versionSupport": True},
                        "hover": {"contentFormat": ["markdown"]},
                        "codeAction": {
                            "codeActionLiteralSupport": {
                                "codeActionKind": {"valueSet": ["quickfix"]}
                            }
                        },
                    },
                    "workspace": {"configuration": True},
                },
                "workspaceFolders": [{"uri": uri, "name": "bench"}],
            },
        )
        self._pulls = "diagnosticProvider" in answer["result"]["capabilities"]
        self.notify("initialized", {})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        number = next(self._ids)
        self._send({"id": number, "method": method, "params": params})
        return self._wait(lambda message: message.get("id") == number and "method" not in message)

    def diagnostics(self, uri: str, version: int) -> None:
        """Wait for the diagnostics of a version of a document, pulled where the server wants that."""
        end = time.monotonic() + self._patience

        def published(message: dict[str, Any]) -> bool:
            return bool(
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"]["uri"] == uri
                and message["params"].get("version", version) == version
            )

        if not self._pulls:
            # A server may register its wish to be asked after the first document is open.
            self._wait(lambda message: self._pulls or published(message))
        while self._pulls:
            answer = self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            if "error" not in answer:
                return
            if time.monotonic() > end:
                raise TooSlow(f"diagnostics: {answer['error'].get('message')}")
            time.sleep(0.005)

    def memory(self) -> float:
        """The most memory that the processes of the server have held, together, in MB."""
        total = 0.0
        pending = [self.process.pid]
        while pending:
            pid = pending.pop()
            with contextlib.suppress(OSError, IndexError):
                status = Path(f"/proc/{pid}/status").read_text()
                total += int(status.split("VmHWM:")[1].split()[0]) / 1024
                for task in Path(f"/proc/{pid}/task").iterdir():
                    pending += [int(child) for child in (task / "children").read_text().split()]
        return total

    def close(self) -> None:
        """End the server and all that it started."""
        self._patience = 3.0
        with contextlib.suppress(TooSlow, OSError):
            self.request("shutdown", None)
            self.notify("exit", None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(3)
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that is wanted; requests of the server are answered on the way."""
        end = time.monotonic() + self._patience
        while True:
            left = end - time.monotonic()
            try:
                # A server that goes on talking of other things is too slow, too.
                message = self._messages.get(timeout=left) if left > 0 else None
            except queue.Empty:
                message = None
            if message is None:
                raise TooSlow(f"no answer in {self._patience:.0f} s")
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
            self._pulls = self._pulls or "textDocument/diagnostic" in methods
        self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        except OSError as error:
            raise TooSlow(f"the server has ended: {error}") from None

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
                self._messages.put(None)
                return
            self._messages.put(json.loads(stream.read(length)))
