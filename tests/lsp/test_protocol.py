"""The wire: life cycle, malformed messages, cancellation, exit codes, a client that dies."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from client import PATIENCE, Client, action_params, at, capabilities, pull_params

from conftest import Start
from jaxref.lsp.transport import Framing, FramingError


def raw(body: str | bytes) -> bytes:
    data = body.encode() if isinstance(body, str) else body
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


# -- life cycle


def test_exit_without_shutdown_ends_with_1(start: Start) -> None:
    client = start()
    client.initialize()
    client.notify("exit")
    assert client.exit_code() == 1


def test_exit_before_initialize_ends_with_1(start: Start) -> None:
    client = start()
    client.notify("exit")
    assert client.exit_code() == 1


def test_requests_out_of_turn_are_refused(start: Start) -> None:
    client = start()
    assert client.error("textDocument/hover", at("file:///a.py", 0, 0))["code"] == -32002
    client.notify("textDocument/didOpen", {"nonsense": True})
    client.initialize()
    assert client.error("initialize", {"capabilities": {}})["code"] == -32600
    client.request("shutdown")
    assert client.error("textDocument/hover", at("file:///a.py", 0, 0))["code"] == -32600
    assert client.error("shutdown")["code"] == -32600
    client.open("file:///a.py", "BAD")
    client.notify("exit")
    assert client.exit_code() == 0
    assert client.publications("file:///a.py") == []


@pytest.mark.parametrize("params", ["absent", None, {}])
def test_shutdown_and_exit_take_any_params(start: Start, params: Any) -> None:
    client = start()
    client.initialize()
    extra = {} if params == "absent" else {"params": params}
    client.send({"id": "last", "method": "shutdown", **extra})
    assert "error" not in client.answer_to("last")
    client.send({"method": "exit", **extra})
    assert client.exit_code() == 0


def test_end_of_input_ends_the_server(start: Start) -> None:
    client = start()
    client.initialize()
    client.open("file:///a.py", "STUCK")
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.exit_code() == 1


def test_end_of_input_in_the_middle_of_a_message(start: Start) -> None:
    client = start()
    client.initialize()
    client.send_bytes(b'Content-Length: 500\r\n\r\n{"jsonrpc"')
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.exit_code() == 1


def test_exit_does_not_wait_for_an_analysis_that_does_not_stop(start: Start) -> None:
    client = start()
    client.initialize()
    client.open("file:///a.py", "STUCK " * 10 * int(PATIENCE))
    assert client.stop() == 0


def test_the_client_is_watched_by_its_process_id(start: Start) -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        client = start()
        client.request("initialize", {"processId": editor.pid, "rootUri": None, "capabilities": {}})
        editor.kill()
        assert client.exit_code() == 1
    finally:
        editor.wait()
        assert editor.stdin is not None
        editor.stdin.close()


def test_a_process_that_cannot_be_seen_is_not_watched(start: Start) -> None:
    client = start()
    client.request("initialize", {"processId": 2**22 + 5, "rootUri": None, "capabilities": {}})
    client.notify("initialized", {})
    assert client.stop() == 0


def test_nothing_but_messages_on_standard_output(start: Start) -> None:
    client = start()
    client.initialize()
    client.open("file:///a.py", "BAD")
    client.published("file:///a.py")
    client.stop()
    assert b"this must not reach the client" in client.errors


# -- malformed messages


def refused(client: Client, after: int) -> Any:
    return client.wait(lambda one: one.get("id", 0) is None and "error" in one, after)["error"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", -32700),
        ("", -32700),
        (b"\xff\xfe", -32700),
        ("[" * 100_000, -32700),
        ("[]", -32600),
        ("7", -32600),
        ('{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', -32600),
        ('{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', -32600),
        ('{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', -32600),
    ],
)
def test_what_is_no_message_is_refused(pushing: Client, body: str | bytes, code: int) -> None:
    mark = pushing.mark()
    pushing.send_bytes(raw(body))
    assert refused(pushing, mark)["code"] == code
    assert pushing.error("jaxref/nothing")["code"] == -32601


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", None),
        ("textDocument/hover", {}),
        ("textDocument/hover", []),
        ("textDocument/hover", {"textDocument": {"uri": 5}, "position": 3}),
        ("textDocument/hover", at("file:///a.py", -1, 0)),
        ("textDocument/codeAction", {"textDocument": {"uri": "file:///a.py"}}),
        ("textDocument/diagnostic", {"textDocument": None}),
    ],
)
def test_undecodable_requests_are_answered(pushing: Client, method: str, params: Any) -> None:
    error = pushing.error(method, params)
    assert error["code"] == -32602
    assert error["message"].startswith(method)
    assert "\n" not in error["message"]


def test_a_method_that_is_no_string(pushing: Client) -> None:
    pushing.send({"id": "odd", "method": 5})
    assert pushing.answer_to("odd")["error"]["code"] == -32600


def test_undecodable_notifications_are_said_once(start: Start) -> None:
    client = start()
    client.initialize()
    for _ in range(3):
        client.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///a.py"}})
        client.notify("textDocument/didSave", "nonsense")
    client.stop()
    said = [one for one in client.received if one.get("method") == "window/showMessage"]
    assert len(said) == 2


def test_a_document_is_forgotten_when_a_change_cannot_be_decoded(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD")
    assert pushing.published(uri)["diagnostics"]
    mark = pushing.mark()
    pushing.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"txt": "x"}]},
    )
    assert pushing.published(uri, mark)["diagnostics"] == []
    mark = pushing.mark()
    pushing.open(uri, "BAD BAD", 3)
    assert len(pushing.published(uri, mark)["diagnostics"]) == 2
    pushing.close(uri)


def test_unknown_notifications_and_answers_are_ignored(pushing: Client) -> None:
    pushing.notify("$/unknown", {"a": 1})
    pushing.notify("workspace/unknown", {"a": 1})
    pushing.notify("$/cancelRequest", {"id": 987654})
    pushing.send({"id": "never-asked", "result": 1})
    pushing.send({"id": "never-asked", "error": {"code": 1, "message": "x"}})
    pushing.send({"error": {"code": 1, "message": "x"}})
    assert pushing.error("jaxref/nothing")["code"] == -32601


def test_values_the_protocol_does_not_list_yet(start: Start) -> None:
    caps = capabilities()
    caps["textDocument"]["publishDiagnostics"]["tagSupport"]["valueSet"] = [1, 2, 77]
    caps["textDocument"]["completion"] = {"completionItemKind": {"valueSet": [1, 999]}}
    client = start()
    client.initialize(caps=caps, trace="compact")
    client.open("file:///a.py", "OLD")
    assert client.published("file:///a.py")["diagnostics"][0]["tags"] == [1]


def test_diagnostics_of_other_servers_do_no_harm(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD")
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
    foreign = [
        {"range": where, "message": "a", "tags": [3, 17], "severity": 9},
        {"range": where, "message": {"kind": "markdown", "value": "b"}, "code": {"value": 1}},
        {"range": where, "message": "c", "source": 7, "data": {"jsonrpc": "2.0", "id": 1}},
    ]
    found = pushing.request(
        "textDocument/codeAction", action_params(uri, diagnostics=foreign, triggerKind=99)
    )
    assert found[0]["title"] == "Make it good"
    pushing.close(uri)


# -- framing


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Type: x\r\nContent-Length:   %d  \r\n\r\n",
        b"Content-Length: %d\n\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
    ],
)
def test_headers_in_any_form(pushing: Client, header: bytes) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": header.decode(), "method": "no/such"}).encode()
    pushing.send_bytes(header % len(body) + body)
    assert pushing.answer_to(header.decode())["error"]["code"] == -32601


def test_a_header_without_a_length_is_refused_and_passed_over(pushing: Client) -> None:
    mark = pushing.mark()
    pushing.send_bytes(b"Content-Length: many\r\n\r\n")
    assert refused(pushing, mark)["code"] == -32700
    assert pushing.error("jaxref/nothing")["code"] == -32601


def test_framing_does_not_depend_on_how_the_bytes_arrive() -> None:
    stream = raw('{"a": 1}') + b"junk: 1\r\n\r\n" + raw("é😀") + raw("")
    whole = list(Framing().feed(stream))
    framing = Framing()
    single = [one for byte in stream for one in framing.feed(bytes([byte]))]
    assert [one for one in whole if isinstance(one, bytes)] == [
        b'{"a": 1}',
        "é😀".encode(),
        b"",
    ]
    assert [str(one) for one in whole] == [str(one) for one in single]
    assert sum(isinstance(one, FramingError) for one in whole) == 1


def test_an_endless_header_is_given_up() -> None:
    framing = Framing()
    assert not any(isinstance(one, bytes) for one in framing.feed(b"x" * 200_000))
    assert [one for one in framing.feed(b"\r\n\r\n" + raw("{}")) if one == b"{}"]


def test_a_large_message(pushing: Client, uri: str) -> None:
    pushing.open(uri, "x = 1\n" * 300_000 + "BAD")
    assert pushing.published(uri)["diagnostics"][0]["range"]["start"]["line"] == 300_000
    pushing.close(uri)


# -- cancellation and failures


def test_a_cancelled_request_is_answered_while_the_analysis_goes_on(
    pushing: Client, uri: str
) -> None:
    pushing.open(uri, "STUCK")
    number = pushing.ask("textDocument/hover", at(uri, 0, 1))
    pushing.notify("$/cancelRequest", {"id": number})
    assert pushing.answer_to(number)["error"]["code"] == -32800
    assert pushing.publications(uri) == []
    pushing.close(uri)


def test_nobody_waiting_stops_the_analysis(start: Start) -> None:
    client = start("--debug")
    client.initialize(pull=True)
    client.open("file:///a.py", "SLOW " * 300)
    number = client.ask("textDocument/hover", at("file:///a.py", 0, 1))
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer_to(number)["error"]["code"] == -32800
    client.open("file:///b.py", "BAD")
    # One thread analyses: this answer means that the other analysis, of 30 seconds, was given up.
    assert client.pull("file:///b.py")["items"]


def test_a_hundred_queued_requests_are_all_answered(pushing: Client, uri: str) -> None:
    pushing.open(uri, "SLOW word")
    numbers = [pushing.ask("textDocument/hover", at(uri, 0, 6)) for _ in range(100)]
    for number in numbers:
        assert "word" in pushing.answer_to(number)["result"]["contents"]["value"]
    pushing.close(uri)


def test_a_crash_costs_one_answer(start: Start) -> None:
    client = start()
    client.initialize()
    uri = "file:///a.py"
    client.open(uri, "BAD")
    assert client.published(uri, version=1)["diagnostics"]
    client.change(uri, 2, "CRASH BAD")
    assert client.published(uri, version=2)["diagnostics"] == []
    client.change(uri, 3, "CRASH BAD BAD")
    assert client.published(uri, version=3)["diagnostics"] == []
    client.change(uri, 4, "BAD Boom")
    assert client.published(uri, version=4)["diagnostics"]
    assert client.error("textDocument/hover", at(uri, 0, 5))["code"] == -32603
    assert client.actions(uri)
    client.stop()
    said = [
        one["params"]["message"]
        for one in client.received
        if one.get("method") == "window/showMessage"
    ]
    assert len(said) == 2, "each cause is told once"
    assert "ZeroDivisionError" in said[0]
    assert client.errors.count(b"\nZeroDivisionError\n") == 3, "without what it says"


def test_trace(start: Start) -> None:
    client = start()
    client.initialize(trace="verbose")
    client.open("file:///a.py", "BAD")
    client.published("file:///a.py")
    client.hover("file:///a.py", 0, 0)
    told = client.wait(
        lambda one: one.get("method") == "$/logTrace" and "hover" in one["params"]["message"]
    )
    assert re.fullmatch(r"textDocument/hover answered in \d+ ms", told["params"]["message"])
    analysed = client.wait(
        lambda one: one.get("method") == "$/logTrace" and "analysed" in one["params"]["message"]
    )
    assert analysed["params"]["verbose"] == "1 findings"
    client.notify("$/setTrace", {"value": "off"})
    client.hover("file:///a.py", 0, 0)
    mark = client.mark()
    client.hover("file:///a.py", 0, 0)
    client.stop()
    assert not [one for one in client.received[mark:] if one.get("method") == "$/logTrace"]


def test_no_trace_unless_asked(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD")
    pushing.hover(uri, 0, 0)
    assert not [one for one in pushing.received if one.get("method") == "$/logTrace"]
    pushing.close(uri)


# -- TCP


def test_tcp(start: Start) -> None:
    client = start("--tcp")
    until = time.monotonic() + PATIENCE
    while not (found := re.search(rb"listening on 127\.0\.0\.1:(\d+)", client.errors)):
        assert time.monotonic() < until and client.process.poll() is None
        time.sleep(0.01)
    with socket.create_connection(("127.0.0.1", int(found[1]))) as connection:
        stream = connection.makefile("rwb")

        def ask(number: int, method: str, params: Any) -> Any:
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            stream.write(raw(json.dumps(message)))
            stream.flush()
            while True:
                header = stream.readline()
                assert header.startswith(b"Content-Length: ")
                while stream.readline().strip():
                    pass
                answer = json.loads(stream.read(int(header[16:])))
                if answer.get("id") == number:
                    return answer

        result = ask(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert result["result"]["serverInfo"]["name"] == "jaxref"
        assert ask(2, "textDocument/hover", at("file:///a.py", 0, 0))["result"] is None
        assert (
            ask(3, "textDocument/diagnostic", pull_params("file:///a.py"))["result"]["items"] == []
        )
        assert ask(4, "shutdown", None)["result"] is None
        stream.write(raw('{"jsonrpc": "2.0", "method": "exit"}'))
        stream.flush()
        assert client.exit_code() == 0


def test_tcp_client_that_leaves(start: Start) -> None:
    client = start("--tcp")
    until = time.monotonic() + PATIENCE
    while not (found := re.search(rb"listening on 127\.0\.0\.1:(\d+)", client.errors)):
        assert time.monotonic() < until
        time.sleep(0.01)
    socket.create_connection(("127.0.0.1", int(found[1]))).close()
    assert client.exit_code() == 1


def test_is_alive() -> None:
    from jaxref.lsp.transport import is_alive

    assert is_alive(os.getpid())
    assert not is_alive(0)
    assert not is_alive(2**80)
    child = subprocess.Popen([sys.executable, "-c", ""])
    while is_alive(child.pid):  # it stays in the table of processes until it is waited for
        time.sleep(0.01)
    assert child.wait() == 0


def test_starting_does_not_import_jedi_or_jax(tmp_path: Path) -> None:
    code = "import sys, jaxref.lsp.server; print([m for m in ('jedi', 'jax') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
