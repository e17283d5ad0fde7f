"""A small language client over a real process: JSON-RPC by hand, nothing but the standard library.

It shares no code with pygls or lsprotocol, whose mistakes it must be able to see.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SERVER = Path(__file__).parents[2] / "server"
PATIENCE = 30.0
"""Seconds after which a test gives up waiting; no test passes or fails by being faster."""

ENCODINGS = ("utf-8", "utf-16", "utf-32")


def capabilities(encoding: str | None = "utf-16", *, pull: bool = False) -> dict[str, Any]:
    """Those of a capable client; `pull` is that of the diagnostics."""
    made: dict[str, Any] = {
        "general": {} if encoding is None else {"positionEncodings": [encoding]},
        "notebookDocument": {"synchronization": {"dynamicRegistration": True}},
        "window": {"workDoneProgress": True},
        "workspace": {
            "configuration": True,
            "didChangeConfiguration": {"dynamicRegistration": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
            "diagnostics": {"refreshSupport": True},
            "workspaceEdit": {
                "documentChanges": True,
                "changeAnnotationSupport": {"groupsOnLabel": True},
            },
        },
        "textDocument": {
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "publishDiagnostics": {
                "relatedInformation": True,
                "tagSupport": {"valueSet": [1, 2]},
                "codeDescriptionSupport": True,
                "dataSupport": True,
            },
            "codeAction": {
                "isPreferredSupport": True,
                "disabledSupport": True,
                "dataSupport": True,
                "honorsChangeAnnotations": True,
                "resolveSupport": {"properties": ["edit"]},
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
            },
        },
    }
    if pull:
        made["textDocument"]["diagnostic"] = {"dynamicRegistration": True}
    return made


class Client:
    """One server process and everything it has sent."""

    def __init__(
        self,
        arguments: Sequence[str] = (),
        *,
        program: Sequence[str] | None = None,
        cwd: str | None = None,
    ) -> None:
        command = [sys.executable, str(HERE / "fake_server.py")] if program is None else program
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": f"{SERVER}{os.pathsep}{HERE}"},
        )
        self.settings: dict[str | None, Any] = {}
        self.answers_settings = True
        self.received: list[dict[str, Any]] = []
        self.errors = b""
        self._numbers = itertools.count(1)
        self._news = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    # -- talking

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"method": method} if params is None else {"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request, and return its id without waiting."""
        number = next(self._numbers)
        message = {"id": number, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return number

    def answer_to(self, number: object) -> dict[str, Any]:
        """Wait for the answer to a request: a message with `result` or `error`."""
        return self.wait(lambda one: "method" not in one and one.get("id") == number)

    def request(self, method: str, params: Any = None) -> Any:
        """The result of a request, which must succeed."""
        answer = self.answer_to(self.ask(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, params: Any = None) -> dict[str, Any]:
        """The error of a request, which must fail."""
        answer = self.answer_to(self.ask(method, params))
        assert "error" in answer, answer
        error: dict[str, Any] = answer["error"]
        return error

    # -- listening

    def wait(self, wanted: Callable[[dict[str, Any]], bool], after: int = 0) -> dict[str, Any]:
        """The first message from number `after` on that is wanted, as soon as it is there."""
        until = time.monotonic() + PATIENCE
        seen = after
        with self._news:
            while True:
                while seen < len(self.received):
                    if wanted(self.received[seen]):
                        return self.received[seen]
                    seen += 1
                left = until - time.monotonic()
                if left <= 0 or self._ended:
                    raise AssertionError(
                        f"no such message; got {self.received[after:]}\n"
                        f"{self.errors.decode(errors='replace')}"
                    )
                self._news.wait(left)

    def wait_for(self, method: str, after: int = 0) -> dict[str, Any]:
        """The first message with this method."""
        return self.wait(lambda one: one.get("method") == method, after)

    def published(self, uri: str, after: int = 0, version: int | None = None) -> dict[str, Any]:
        """The parameters of the first publication for `uri` (and `version`)."""
        message = self.wait(
            lambda one: (
                one.get("method") == "textDocument/publishDiagnostics"
                and one["params"]["uri"] == uri
                and (version is None or one["params"].get("version") == version)
            ),
            after,
        )
        params: dict[str, Any] = message["params"]
        return params

    def publications(self, uri: str) -> list[dict[str, Any]]:
        """All publications for `uri` so far."""
        return [
            one["params"]
            for one in list(self.received)
            if one.get("method") == "textDocument/publishDiagnostics"
            and one["params"]["uri"] == uri
        ]

    def mark(self) -> int:
        """The number of the next message, for `after`."""
        return len(self.received)

    # -- whole stretches of a conversation

    def initialize(
        self,
        encoding: str | None = "utf-16",
        *,
        pull: bool = False,
        caps: dict[str, Any] | None = None,
        folder: Path | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Go through initialization, and return the server's capabilities."""
        folders = [] if folder is None else [{"uri": folder.as_uri(), "name": "folder"}]
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": None,
                "workspaceFolders": folders,
                "capabilities": capabilities(encoding, pull=pull) if caps is None else caps,
                **more,
            },
        )
        self.notify("initialized", {})
        offered: dict[str, Any] = result["capabilities"]
        return offered

    def open(self, uri: str, text: str, version: int = 1, language: str = "python") -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Any) -> None:
        """Change a document: each change a text, or `(range, text)`."""
        made = [
            {"text": one} if isinstance(one, str) else {"range": one[0], "text": one[1]}
            for one in changes
        ]
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": made},
        )

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def hover(self, uri: str, line: int, character: int) -> Any:
        """The result of a hover."""
        return self.request("textDocument/hover", at(uri, line, character))

    def actions(self, uri: str, where: Any = None, **context: Any) -> list[dict[str, Any]]:
        """The code actions for a range, the whole document by default."""
        result: list[dict[str, Any]] = self.request(
            "textDocument/codeAction", action_params(uri, where, **context)
        )
        return result

    def pull(self, uri: str, previous: str | None = None) -> dict[str, Any]:
        """The report of a pull."""
        result: dict[str, Any] = self.request("textDocument/diagnostic", pull_params(uri, previous))
        return result

    def stop(self) -> int:
        """Shut down and leave; the server's exit code."""
        if not self._ended and self.process.poll() is None:
            self.request("shutdown")
            self.notify("exit")
        return self.exit_code()

    def exit_code(self) -> int:
        """Wait for the server's end."""
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End the server without ceremony."""
        self.process.kill()
        self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    # -- inside

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        try:
            while True:
                length = None
                while (line := stream.readline()).strip():
                    name, _, value = line.partition(b":")
                    assert name.isascii() and value, f"not a header: {line!r}"
                    if name.lower() == b"content-length":
                        length = int(value)
                if not line or length is None:
                    break
                self._take(json.loads(stream.read(length)))
        except (OSError, ValueError):
            pass
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            if message["method"] == "workspace/configuration":
                items = message["params"]["items"]
                result: Any = [self.settings.get(item.get("scopeUri")) for item in items]
                if self.answers_settings:
                    self.send({"id": message["id"], "result": result})
            else:
                self.send({"id": message["id"], "result": None})
        with self._news:
            self.received.append(message)
            self._news.notify_all()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    """The parameters that name a place."""
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def span(line: int, start: int, end_line: int, end: int) -> dict[str, Any]:
    """A range."""
    return {
        "start": {"line": line, "character": start},
        "end": {"line": end_line, "character": end},
    }


EVERYTHING = span(0, 0, 100_000, 0)


def action_params(uri: str, where: Any = None, **context: Any) -> dict[str, Any]:
    """The parameters of a request for code actions."""
    return {
        "textDocument": {"uri": uri},
        "range": EVERYTHING if where is None else where,
        "context": {"diagnostics": [], **context},
    }


def pull_params(uri: str, previous: str | None = None) -> dict[str, Any]:
    """The parameters of a pull."""
    params: dict[str, Any] = {"textDocument": {"uri": uri}, "identifier": "jaxref"}
    return params if previous is None else {**params, "previousResultId": previous}


def lines_of(text: str) -> list[str]:
    """The lines as the protocol has them, with their ends; the last one has none."""
    lines, line, index = [], "", 0
    while index < len(text):
        char = text[index]
        line += char
        index += 1
        if char == "\r" and text[index : index + 1] == "\n":
            line += "\n"
            index += 1
        if char in "\r\n":
            lines.append(line)
            line = ""
    return [*lines, line]


def column(chars: str, encoding: str) -> int:
    """How many units the characters of one line take."""
    if encoding == "utf-8":
        return len(chars.encode())
    if encoding == "utf-16":
        return len(chars.encode("utf-16-le")) // 2
    return len(chars)


def position(text: str, offset: int, encoding: str) -> dict[str, int]:
    """The position of an offset, worked out without the server's help."""
    start = 0
    lines = lines_of(text)
    for number, line in enumerate(lines):
        if offset < start + len(line) or number == len(lines) - 1:
            return {"line": number, "character": column(line[: offset - start], encoding)}
        start += len(line)
    raise AssertionError


def offset(text: str, place: dict[str, int], encoding: str) -> int:
    """The offset of a position that lies on a character."""
    lines = lines_of(text)
    start = sum(len(line) for line in lines[: place["line"]])
    line = lines[place["line"]]
    for index in range(len(line) + 1):
        if column(line[:index], encoding) == place["character"]:
            return start + index
    raise AssertionError(f"{place} is not on a character")


def apply_edits(text: str, edits: Sequence[dict[str, Any]], encoding: str) -> str:
    """The text after edits, as a client applies them."""
    spans = [
        (
            offset(text, edit["range"]["start"], encoding),
            offset(text, edit["range"]["end"], encoding),
            edit["newText"],
        )
        for edit in edits
    ]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text
