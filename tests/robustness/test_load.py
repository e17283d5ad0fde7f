"""The server under load: nothing is lost, nothing is stale, nothing is left behind.

`JAXREF_LOAD=60` works for so many seconds with 200 open files, and makes 10,000 edits where memory is looked at.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from load import PATIENCE, PROGRAM, Editor

COUNTING = [sys.executable, str(Path(__file__).with_name("counting_server.py"))]
SECONDS = float(os.environ.get("JAXREF_LOAD", "3"))
LONG = "JAXREF_LOAD" in os.environ
FILES = 200 if LONG else 24

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="looks into /proc")


@pytest.fixture(autouse=True)
def more_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has other work falls behind by minutes when there is so much of it."""
    if LONG:
        monkeypatch.setattr("client.PATIENCE", 600.0)
        monkeypatch.setattr("load.PATIENCE", 600.0)


def on_disk(editor: Editor) -> set[tuple[str, str, int, int]]:
    """What the command line says of the files as they are: name, rule, line, column."""
    for uri, text in editor.texts.items():
        editor.path(uri).write_text(text, encoding="utf-8", newline="")
    done = subprocess.run(
        [sys.executable, "-m", "jaxref", "check", "--no-cache", "--output-format", "json"],
        cwd=editor.folder,
        capture_output=True,
        check=False,
    )
    found = json.loads(done.stdout)
    names = {editor.path(uri).name for uri in editor.texts}
    return {
        (one["path"], one["rule"], one["start"]["line"], one["start"]["column"])
        for one in found
        if one["path"] in names and one["rule"] != "syntax-error"
    }


@pytest.mark.parametrize("pull", [False, True], ids=["push", "pull"])
def test_many_files_and_edits(tmp_path: Path, pull: bool) -> None:
    editor = Editor(tmp_path, FILES, 1, pull=pull)
    client = editor.client
    try:
        for uri in editor.uris:
            editor.open(uri)
        editor.wait_for(editor.expected())
        threads, handles = editor.threads(), editor.handles()
        edits = editor.run(SECONDS, 50.0)
        editor.calm_down()
        expected = editor.expected()
        editor.wait_for(expected)
        assert editor.threads() <= threads + 1, "jedi's thread may have come"
        assert editor.handles() == handles
        assert "Traceback" not in client.errors.decode(errors="replace")
        assert len(editor.messages()) == len(set(editor.messages())), "said twice"
        assert edits > 10 * SECONDS
        found = {uri: said if pull else said["diagnostics"] for uri, said in expected.items()}
        assert any(found.values())
        served = {
            (editor.path(uri).name, one["code"], one["range"]["start"]["line"] + 1)
            for uri, said in found.items()
            for one in said
        }
        assert served == {one[:3] for one in on_disk(editor)}
        assert client.stop() == 0
    finally:
        client.kill()


def test_nothing_piles_up(tmp_path: Path) -> None:
    """What a server holds depends on what is open, not on how much was done."""
    editor = Editor(tmp_path, 8, 2, COUNTING)
    client = editor.client
    edits = 5_000 if LONG else 400

    def work() -> tuple[dict[str, int], int]:
        for number in range(edits):
            editor.one_step()
            if number % 50 == 49:
                # Not to run ahead of a server that is to take part in all of it.
                client.answer_to(client.ask("no/such"))
        editor.calm_down()
        for number, uri in enumerate(editor.uris):
            version = editor.versions[uri] = 1_000_000 + edits
            # Each another text, so that nothing else is among the few trees that are kept.
            editor.texts[uri] = f"import jax\nr = jax.new_ref({number})\n"
            client.change(uri, version, editor.texts[uri])
        for uri in editor.uris:
            client.published(uri, mark, version=version)
        counted = editor.count()
        return counted, editor.memory()

    try:
        for uri in editor.uris:
            editor.open(uri)
        mark = client.mark()
        rounds = [work()]
        while len(rounds) < 7:
            mark = client.mark()
            edits += 1
            rounds.append(work())
            # Libraries are loaded when they are first needed, and caches fill up: sooner or later it
            # is level. A leak of one object for each edit never is.
            (before, size_before), (after, size) = rounds[-2:]
            level = after["objects"] - before["objects"] < edits
            if level and after["coroutines"] == before["coroutines"] and size < 1.1 * size_before:
                break
        else:
            raise AssertionError(rounds)
        print([(one["objects"], size >> 10) for one, size in rounds])
        assert client.stop() == 0
    finally:
        client.kill()


def test_a_client_that_is_killed(tmp_path: Path) -> None:
    """The server ends with its client even where somebody else keeps the pipe open."""
    script = (
        "import os, subprocess, sys, json\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=int(os.environ['READ']), stdout=subprocess.PIPE)\n"
        "body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'initialize',\n"
        "    'params': {'processId': os.getpid(), 'capabilities': {}}}).encode()\n"
        "os.write(int(os.environ['WRITE']), b'Content-Length: %d\\r\\n\\r\\n%s' % (len(body), body))\n"
        "server.stdout.readline()\n"
        "print(server.pid, flush=True)\n"
        "server.wait()\n"
    )
    read, write = os.pipe()
    client = subprocess.Popen(
        [sys.executable, "-c", script, *PROGRAM],
        stdout=subprocess.PIPE,
        pass_fds=(read, write),
        env={**os.environ, "READ": str(read), "WRITE": str(write)},
    )
    assert client.stdout is not None
    server = int(client.stdout.readline())
    assert is_running(server)
    client.kill()
    client.wait()
    began = time.monotonic()
    while is_running(server) and time.monotonic() - began < PATIENCE:
        time.sleep(0.02)
    assert not is_running(server)
    os.close(read)
    os.close(write)
    client.stdout.close()


def is_running(process: int) -> bool:
    """Whether a process with this id is there and no zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("busy", [False, True])
def test_input_that_ends_in_mid_message(tmp_path: Path, busy: bool) -> None:
    editor = Editor(tmp_path, 4, 3)
    client = editor.client
    try:
        for uri in editor.uris:
            editor.open(uri)
        if busy:
            editor.open(editor.uris[0], "import jax\n" + "r = jax.new_ref(1)\nr[...]\n" * 20_000)
            for _ in range(20):
                editor.ask(editor.uris[0])
        client.send_bytes(b'Content-Length: 5000\r\n\r\n{"jsonrpc": "2.0", "met')
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.exit_code() == 1
        assert b"Traceback" not in client.errors
    finally:
        client.kill()


FAKETIME = next(
    (
        str(found)
        for folder in (
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
        )
        if (found := Path(folder, "faketime", "libfaketime.so.1")).exists()
    ),
    None,
)


@pytest.mark.skipif(FAKETIME is None, reason="needs libfaketime (Debian's package `faketime`)")
def test_a_clock_that_jumps(tmp_path: Path) -> None:
    """The time of day goes back ten days and forward a year while everybody works."""
    clock = tmp_path / "clock"
    clock.write_text("+0d")
    folder = tmp_path / "project"
    folder.mkdir()
    faking = {
        "LD_PRELOAD": FAKETIME,
        "FAKETIME_TIMESTAMP_FILE": clock,
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    program = ["env", *(f"{name}={value}" for name, value in faking.items()), *PROGRAM]
    editor = Editor(folder, 6, 4, program)
    client = editor.client
    try:
        for uri in editor.uris:
            editor.open(uri)
        for jump in ("-10d", "+400d", "-1d", "+0d"):
            clock.write_text(jump)
            editor.run(0.5, 50.0)
            helper = folder / f"helper{editor.chance.randrange(6)}.py"
            helper.write_text("def make(x):\n    return x\n")
            changed = [{"uri": helper.as_uri(), "type": 2}]
            client.notify("workspace/didChangeWatchedFiles", {"changes": changed})
        editor.calm_down()
        editor.wait_for(editor.expected())
        assert client.stop() == 0
        assert b"Traceback" not in client.errors
    finally:
        client.kill()
