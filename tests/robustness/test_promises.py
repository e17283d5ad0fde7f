"""What SECURITY.md promises, kept by every command and the server in a project full of traps."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "unit" / "resolve"))

from test_resolve_safety import WITHIN, plant

PROBE = (
    WITHIN
    + r"""
import json, sys
sys.path[:] = [entry for entry in sys.path if entry not in ("", os.getcwd())]
project, cache, report = sys.argv[1:4]
arguments = sys.argv[4:]
seen, written = [], []

def watch(event, arguments):
    ran = run_by(event, arguments)
    # asyncio wakes its loop through a pair of sockets; nobody connects or listens.
    if ran is not None or (event.startswith("socket.") and event != "socket.__new__"):
        seen.append([event, repr(arguments) if ran is None else ran])
    elif event == "open":
        path, mode, flags = arguments
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if isinstance(path, (str, bytes)):
            name = os.path.abspath(os.fsdecode(path))
            if writes and not name.startswith(cache + os.sep) and "__pycache__" not in name:
                if name not in (os.devnull, report):
                    written.append(["open", name])
            elif within(path) and name.endswith((".so", ".pyd", ".pyc", ".pth.py")):
                seen.append([event, name])
    elif event in {"os.mkdir", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate",
                   "os.chmod", "os.chown", "shutil.rmtree", "os.utime", "os.setxattr"}:
        if not os.path.abspath(os.fsdecode(arguments[0])).startswith(cache + os.sep):
            written.append([event, os.path.abspath(os.fsdecode(arguments[0]))])
    elif event == "os.rename":
        source, target = (os.path.abspath(os.fsdecode(one)) for one in arguments[:2])
        if not target.startswith(cache + os.sep):
            written.append([event, target])

from jaxref.cli.main import main
path_before = list(sys.path)
sys.addaudithook(watch)
if arguments == ["api"]:
    import jaxref
    checked = jaxref.check_paths(["tests/test_main.py", "app"])
    source = jaxref.check_source(open("tests/test_main.py").read(), path="tests/test_main.py")
    code = 0
else:
    code = main(arguments)
done = list(seen), list(written)
with open(report, "w") as stream:
    json.dump({"code": code, "seen": done[0], "written": done[1], "path": sys.path == path_before,
        "loaded": sorted(name for name, module in list(sys.modules.items())
                         if within(getattr(module, "__file__", None) or ""))}, stream)
"""
)

STEP = """\
import jax
import jax.numpy as jnp
r = jax.new_ref(jnp.ones(3))
value, f_vjp = jax.vjp(lambda ref: jnp.sum(ref[...]), r)
grads = f_vjp(1.0)
"""
COMMANDS: dict[str, list[str]] = {
    "check": ["check", "--jobs", "1", "--output-format", "json", "."],
    "check one": ["check", "--no-cache", "tests/test_main.py", "step.py", "app"],
    "fix": ["check", "--fix", "step.py"],
    "add ignore": ["check", "--add-ignore", "step.py"],
    "diff": ["check", "--diff", "."],
    "chosen environment": ["check", "--python", ".venv/bin/python", "tests/test_main.py"],
    "reveal": ["reveal", "step.py:3"],
    "config": ["config", "step.py"],
    "version": ["version", "--output-format", "json"],
    "rule": ["rule", "unbound-ref-gradient"],
    "api": ["api"],
}


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A project of traps, the folder of their marks, and the one for caches."""
    project, outside, cache = tmp_path / "project", tmp_path / "marks", tmp_path / "cache"
    for folder in (project, outside, cache):
        folder.mkdir()
    plant(project, outside)
    (project / "step.py").write_text(STEP)
    (project / "pyproject.toml").write_text('[tool.jaxref]\npython = ".venv/bin/python"\n')
    (project / ".gitignore").symlink_to("/dev/zero")
    (project / "jaxref.toml").symlink_to("/dev/zero")
    return project, outside, cache


def watched(
    planted: tuple[Path, Path, Path], arguments: list[str], stdin: bytes = b""
) -> dict[str, Any]:
    """What the hook saw during one command."""
    project, outside, cache = planted
    report = outside.parent / "report.json"
    environ = {key: value for key, value in os.environ.items() if not key.startswith("JAXREF")}
    environ["VIRTUAL_ENV"] = str(project / ".venv")
    environ["XDG_CACHE_HOME"] = str(cache)
    environ["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
    environ["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(project), str(cache), str(report), *arguments],
        capture_output=True,
        input=stdin,
        timeout=120,
        cwd=project,
        env=environ,
        check=False,
    )
    assert report.exists(), done.stderr.decode()
    seen: dict[str, Any] = json.loads(report.read_text())
    assert os.listdir(outside) == [], "a trap was sprung"
    assert not seen["seen"], seen["seen"]
    assert not seen["loaded"], seen["loaded"]
    assert seen["path"]
    return seen


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(planted: tuple[Path, Path, Path], name: str) -> None:
    project = planted[0]
    seen = watched(planted, COMMANDS[name])
    assert seen["code"] in (0, 1), seen
    step = str(project / "step.py")
    if name not in ("fix", "add ignore"):
        assert seen["written"] == []
        return
    assert (project / "step.py").read_text() != STEP
    assert ["os.rename", step] in seen["written"]
    # It is replaced as a whole by a file beside it, never opened for writing.
    assert ["open", step] not in seen["written"]
    assert {os.path.dirname(path) for _, path in seen["written"]} == {str(project)}
    assert all(
        path == step or os.path.basename(path).startswith(".step.py.")
        for _, path in seen["written"]
    )


def test_the_server(planted: tuple[Path, Path, Path]) -> None:
    project = planted[0]
    folder = {"uri": project.as_uri(), "name": "project"}
    bodies: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {
            "processId": None, "capabilities": {}, "workspaceFolders": [folder],
            "initializationOptions": {"python": ".venv/bin/python", "diagnosticMode": "workspace"},
        }},
        {"method": "initialized", "params": {}},
    ]  # fmt: skip
    for number, name in enumerate(("step.py", "tests/test_main.py", "trap.py")):
        uri = (project / name).as_uri()
        item = {
            "uri": uri,
            "languageId": "python",
            "version": 1,
            "text": (project / name).read_text(),
        }
        bodies.append({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        about = {"textDocument": {"uri": uri}}
        bodies += [
            {"id": 10 * number + 10, "method": "textDocument/hover",
             "params": {**about, "position": {"line": 4, "character": 9}}},
            {"id": 10 * number + 11, "method": "textDocument/codeAction",
             "params": {**about, "range": whole, "context": {"diagnostics": []}}},
            {"id": 10 * number + 12, "method": "textDocument/diagnostic", "params": about},
            {"id": 10 * number + 13, "method": "workspace/executeCommand",
             "params": {"command": "jaxref.server.information", "arguments": [uri]}},
        ]  # fmt: skip
    messages = [json.dumps({"jsonrpc": "2.0", **body}).encode() for body in bodies]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in messages)
    seen = watched(planted, ["server"], sent)
    assert seen["code"] == 1, "the input ended without a shutdown"
    assert seen["written"] == []


def test_started_by_python_in_the_project_itself(planted: tuple[Path, Path, Path]) -> None:
    """`python -m` puts the current folder first on the search path: there are traps for jedi there."""
    project, outside, cache = planted
    environ = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    environ["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-m", "jaxref", "check", "--no-cache", "."],
        cwd=project,
        env=environ,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert b"unbound-ref-gradient" in done.stdout, done.stderr.decode()
    assert os.listdir(outside) == []


def test_the_hook_would_notice(planted: tuple[Path, Path, Path], monkeypatch: Any) -> None:
    careless = PROBE.replace(
        "    code = main(arguments)",
        "    import socket; socket.getaddrinfo('localhost', 1); open('step.py', 'a').close()\n"
        "    os.system('true'); sys.path.append(project); import installed_trap; sys.path.pop()\n"
        "    code = main(arguments)",
    )
    (planted[0] / "installed_trap.py").write_text("x = 1\n")
    monkeypatch.setattr(sys.modules[__name__], "PROBE", careless)
    with pytest.raises(AssertionError) as caught:
        watched(planted, ["version"])
    for event in ("getaddrinfo", "os.system", "installed_trap"):
        assert event in str(caught.value)
