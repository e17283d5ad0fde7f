"""Messages that no sane client sends: every request is answered, and the server lives on."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
from client import EVERYTHING, Client, action_params, at, pull_params, span

from conftest import Start

ODD: list[Callable[[], Any]] = [
    lambda: None,
    lambda: True,
    lambda: -1,
    lambda: 2**31,
    lambda: 2**63,
    lambda: 1e308,
    lambda: "",
    lambda: "\ud800",
    lambda: "😀" * 50,
    list,
    dict,
    lambda: [[[]]],
    lambda: {"jsonrpc": "2.0"},
    lambda: {"jsonrpc": "2.0", "id": 1, "method": "shutdown"},
]

URI = "file:///nowhere/garbage.py"
BOOK = "file:///nowhere/garbage.ipynb"
CELL = "vscode-notebook-cell:/nowhere/garbage.ipynb#0"


def sane_messages() -> list[tuple[str, Any, bool]]:
    """Method, parameters and whether it is a request."""
    document = {"uri": URI, "version": 2}
    item = {"languageId": "python", "version": 1, "text": "BAD word\nREL"}
    book = {
        "uri": BOOK,
        "notebookType": "x",
        "version": 1,
        "cells": [{"kind": 2, "document": CELL}],
    }
    splice = {
        "array": {"start": 0, "deleteCount": 1, "cells": [{"kind": 2, "document": CELL}]},
        "didOpen": [{"uri": CELL, **item}],
        "didClose": [{"uri": CELL}],
    }
    edit = {"range": span(0, 0, 0, 1), "text": "BAD "}
    return [
        ("textDocument/didOpen", {"textDocument": {"uri": URI, **item}}, False),
        ("textDocument/didChange", {"textDocument": document, "contentChanges": [edit]}, False),
        ("textDocument/didSave", {"textDocument": {"uri": URI}}, False),
        ("textDocument/didClose", {"textDocument": {"uri": URI}}, False),
        (
            "notebookDocument/didOpen",
            {"notebookDocument": book, "cellTextDocuments": [{"uri": CELL, **item}]},
            False,
        ),
        (
            "notebookDocument/didChange",
            {
                "notebookDocument": {"uri": BOOK, "version": 2},
                "change": {
                    "cells": {
                        "structure": splice,
                        "data": [{"kind": 2, "document": CELL}],
                        "textContent": [
                            {"document": {"uri": CELL, "version": 3}, "changes": [edit]}
                        ],
                    }
                },
            },
            False,
        ),
        (
            "notebookDocument/didClose",
            {"notebookDocument": {"uri": BOOK}, "cellTextDocuments": [{"uri": CELL}]},
            False,
        ),
        ("workspace/didChangeConfiguration", {"settings": {"ignore": ["bad-word"]}}, False),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": URI, "type": 2}]}, False),
        (
            "workspace/didChangeWorkspaceFolders",
            {"event": {"added": [{"uri": "file:///nowhere", "name": "x"}], "removed": []}},
            False,
        ),
        ("$/setTrace", {"value": "verbose"}, False),
        ("$/cancelRequest", {"id": 1}, False),
        ("textDocument/hover", at(URI, 0, 5), True),
        ("textDocument/codeAction", action_params(URI), True),
        ("codeAction/resolve", {"title": "x", "data": {"fixAll": URI, "revision": 3}}, True),
        ("textDocument/diagnostic", pull_params(URI), True),
        ("textDocument/completion", at(URI, 0, 5), True),
        (
            "workspace/executeCommand",
            {"command": "jaxref.server.information", "arguments": [URI]},
            True,
        ),
        (
            "workspace/executeCommand",
            {"command": "jaxref.server.checkWorkspace", "workDoneToken": "w"},
            True,
        ),
        (
            "workspace/diagnostic",
            {"previousResultIds": [{"uri": URI, "value": "x"}], "partialResultToken": "p"},
            True,
        ),
        ("window/workDoneProgress/cancel", {"token": "w"}, False),
        ("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": EVERYTHING}, True),
        ("textDocument/signatureHelp", at(URI, 0, 5), True),
    ]


def mutated(value: Any, chance: random.Random) -> Any:
    """The value with one place in it replaced, dropped or doubled."""
    value = copy.deepcopy(value)
    places: list[tuple[Any, Any]] = []

    def collect(node: Any) -> None:
        keys = node if isinstance(node, dict) else range(len(node))
        for key in keys:
            places.append((node, key))
            if isinstance(node[key], (dict, list)):
                collect(node[key])

    if isinstance(value, (dict, list)):
        collect(value)
    if not places:
        return chance.choice(ODD)()
    node, key = chance.choice(places)
    match chance.randrange(4):
        case 0:
            del node[key]
        case 1 if isinstance(node, list):
            node.append(copy.deepcopy(node[key]))
        case _:
            node[key] = chance.choice(ODD)()
    return value


@pytest.mark.parametrize("seed", range(3))
def test_every_request_is_answered(start: Start, seed: int) -> None:
    chance = random.Random(seed)
    client: Client = start()
    client.initialize(pull=seed % 2 == 1)
    known = sane_messages()
    requests = []
    for _ in range(250):
        method, params, is_request = chance.choice(known)
        if chance.random() < 0.6:
            params = mutated(params, chance)
        if is_request:
            requests.append(client.ask(method, params))
        else:
            client.notify(method, params)
    for number in requests:
        answer = client.answer_to(number)
        assert answer.keys() & {"result", "error"}
    client.open("file:///nowhere/sane.py", "BAD")
    assert len(client.pull("file:///nowhere/sane.py")["items"]) in (0, 1)
    assert client.stop() == 0
    assert b"Traceback" not in client.errors, client.errors.decode(errors="replace")[
        client.errors.index(b"Traceback") - 500 :
    ][:2500]


@pytest.mark.parametrize("seed", range(2))
def test_garbage_bytes(start: Start, seed: int) -> None:
    chance = random.Random(seed)
    client: Client = start()
    client.initialize()
    for _ in range(60):
        body = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
        if chance.random() < 0.3:
            client.send_bytes(bytes(chance.choice(b"abc: \r\n{}") for _ in range(30)) + b"\r\n\r\n")
        else:
            client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert client.error("no/such")["code"] == -32601
    assert client.stop() == 0
    assert b"Traceback" not in client.errors, client.errors.decode(errors="replace")[
        client.errors.index(b"Traceback") - 500 :
    ][:2500]
