"""Nothing of a workspace is executed, imported, started or connected to, whatever is planted there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

WITHIN = r"""
import os

def within(value):
    # "<string>" is what dataclasses and named tuples of the standard library compile.
    if not isinstance(value, str) or not (os.path.isabs(value) or os.path.lexists(value)):
        return False
    return os.path.abspath(value).startswith(project + os.sep)

def run_by(event, arguments):
    # What an audit event says was started, imported or executed of what must not be; else None.
    if event in {"os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork", "os.forkpty",
                 "subprocess.Popen", "pty.spawn", "os.startfile", "webbrowser.open", "ctypes.dlopen"}:
        return repr(arguments)
    if event == "import":
        module, filename = arguments[:2]
        if within(filename) or module.partition(".")[0] in {"jax", "numpy", "trap", "evil", "conftest",
                                                             "sitecustomize", "usercustomize", "numpydoc"}:
            return module
    elif event in {"exec", "compile", "marshal.loads"}:
        code = arguments[0] if event == "exec" else arguments[-1]
        filename = getattr(code, "co_filename", code)
        if within(filename):
            return repr(filename)
    return None
"""
"""What the audit hooks of the probes share; `project` is a folder."""

PROBE = (
    WITHIN
    + r"""
import json, sys
sys.path[:] = [entry for entry in sys.path if entry not in ("", os.getcwd())]
project, cache = sys.argv[1:3]
seen = []

def watch(event, arguments):
    ran = run_by(event, arguments)
    if ran is not None or event.startswith("socket."):
        seen.append([event, repr(arguments) if ran is None else ran])
    elif event == "open":
        path, mode, flags = arguments
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes and isinstance(path, (str, bytes)):
            name = os.path.abspath(os.fsdecode(path))
            if not name.startswith(cache + os.sep) and "__pycache__" not in name:
                seen.append([event, name])
        elif within(path) and path.endswith((".so", ".pyd", ".pyc")):
            seen.append([event, path])
    elif event in {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.chmod",
                   "os.truncate", "shutil.rmtree", "os.utime"} and within(arguments[0]):
        seen.append([event, repr(arguments)])

from jaxref.resolve.questions import JediBackend
from jaxref.resolve.resolver import Resolver
from jaxref.settings import Settings
sys.addaudithook(watch)

main = os.path.join(project, "tests", "test_main.py")
text = open(main).read()
path_before = list(sys.path)
backend = JediBackend(cache)
resolver = Resolver(Settings(), path=main, backend=backend)
answers = {}
for number, line in enumerate(text.splitlines(), 1):
    if line.endswith(")"):
        names = resolver.names(main, text, number, len(line))
        answers[line] = [name.full_name for name in names]
modules = {}
for name in ("jax", "trap", "evil", "conftest", "sitecustomize", "pipe", "loop.loop.loop.app", "app",
             "installed", "device", "folder"):
    found = resolver.module(name, main)
    modules[name] = None if found is None else os.path.relpath(found.path, project)
print(json.dumps({
    "seen": seen, "answers": answers, "modules": modules, "version": resolver.jax_version,
    "failures": backend.failures, "path": sys.path == path_before,
    "loaded": sorted(name for name in sys.modules if name.partition(".")[0] in
                     {"jax", "trap", "evil", "conftest", "sitecustomize", "installed", "numpy"}
                     and within(getattr(sys.modules[name], "__file__", None) or "")),
}))
"""
)

TRAP = "import os\nopen({mark!r}, 'w').close()\ndef thing(): return 1\n"


def plant(project: Path, outside: Path) -> None:
    """A project in which everything that Python would run leaves a mark."""

    def write(name: str, text: str) -> Path:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def trap(name: str) -> None:
        write(name, TRAP.format(mark=str(outside / name.replace("/", "_"))))

    for name in (
        "sitecustomize.py",
        "usercustomize.py",
        "jax.py",
        "jedi.py",
        "parso.py",
        "numpydoc.py",
        "colorama.py",
        "typing.py",
        "builtins.py",
        "gi.py",
        "trap.py",
        "conftest.py",
        "tests/conftest.py",
        "tests/sitecustomize.py",
        ".venv/lib/python3.13/site-packages/sitecustomize.py",
        ".venv/lib/python3.13/site-packages/jax/__init__.py",
        ".venv/lib/python3.13/site-packages/installed.py",
    ):
        trap(name)
    site_packages = project / ".venv/lib/python3.13/site-packages"
    write(".venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.13.0\n")
    mark = str(outside / "pth")
    (site_packages / "boobytrap.pth").write_text(f"import os; open({mark!r}, 'w').close()\n")
    write(".venv/lib/python3.13/site-packages/jax-0.12.0.dist-info/METADATA", "Version: 0.12.0\n")
    write(
        ".venv/lib/python3.13/site-packages/plugin-1.dist-info/entry_points.txt",
        "[pytest11]\ntrap = trap\n[parso]\ntrap = trap\n",
    )
    for name in ("python", "python3", "python3.13"):
        executable = write(f".venv/bin/{name}", f"#!/bin/sh\ntouch {outside / 'interpreter'}\n")
        executable.chmod(0o755)
    write(
        ".jedi/project.json", '[1, {"environment_path": "/bin/sh", "load_unsafe_extensions": true}]'
    )
    write("manage.py", "DJANGO_SETTINGS_MODULE = 1\n")
    write("buildout.cfg", "")
    write("pyproject.toml", "")
    for folder in ("", ".venv/lib/python3.13/site-packages/"):
        write(f"{folder}evil{EXTENSION_SUFFIXES[0]}", "not really a library")
        write(f"{folder}pack/__init__.py", "from pack.fast import *\n")
        write(f"{folder}pack/fast{EXTENSION_SUFFIXES[0]}", "not really a library")
    write("app/__init__.py", "import jax\ndef make(): return jax.new_ref(0)\n")
    os.symlink(project, project / "loop")
    os.symlink("self.py", project / "self.py")
    os.mkfifo(project / "pipe.py")
    os.mkfifo(project / "piped.pyi")
    write("piped.py", "def thing(): return 1\n")
    os.mkfifo(project / "jax.pyi")
    os.mkfifo(project / "tests" / "pytest.py")
    os.symlink("/dev/zero", project / "device.py")
    write("name\nwith line.py", "")
    os.makedirs(project / "folder.py")
    write(
        "tests/test_main.py",
        "import sys\nsys.path.insert(0, '..')\nsys.path.append('/proc/self/fd')\n"
        "import jax, trap, evil, pipe, piped, device, folder, loop.loop.app, pack, installed, gi\n"
        "import pytest, numpy, conftest, app, selfish, os.path, antigravity\n"
        "@pytest.fixture\ndef fixed(): return jax.new_ref(0)\n"
        "def test_it(fixed, capsys, tmp_path):\n"
        "    fixed.thing()\n"
        '    """x : Trap\n\n    Returns\n    -------\n    r : jax.Ref\n    """\n'
        "jax.new_ref(0)\n"
        "jax.thing()\ntrap.thing()\nevil.thing()\npipe.thing()\npiped.thing()\ndevice.thing()\n"
        "folder.thing()\nloop.loop.app.make()\npack.thing()\npack.fast.thing()\n"
        "installed.thing()\ngi.thing()\napp.make()\nselfish.thing()\nos.path.join('a')\n"
        "antigravity.geohash(1)\nnumpy.zeros(1)\nconftest.thing()\n",
    )


def test_a_project_full_of_traps(tmp_path: Path) -> None:
    project, outside, cache = tmp_path / "project", tmp_path / "marks", tmp_path / "cache"
    for folder in (project, outside, cache):
        folder.mkdir()
    plant(project, outside)
    environ = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    environ["PYTHONPATH"] = os.pathsep.join(
        [entry for entry in sys.path if entry and not entry.startswith(str(tmp_path))]
    )
    completed = subprocess.run(
        [sys.executable, "-c", PROBE, str(project), str(cache)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=project / "app",
        env=environ,
    )
    assert completed.returncode == 0, completed.stderr
    report = json.loads(completed.stdout)
    assert report["seen"] == []
    assert os.listdir(outside) == []
    assert report["loaded"] == []
    assert report["path"], "sys.path was exchanged"
    assert report["failures"] == 0
    assert report["version"] == [0, 12, 0]
    answers = report["answers"]
    assert answers["jax.new_ref(0)"] == ["jax.Ref"]
    assert answers["app.make()"] == ["jax.Ref"]
    assert answers["trap.thing()"] == ["builtins.int"], "a trap is read, not run"
    assert answers["installed.thing()"] == ["builtins.int"]
    assert answers["loop.loop.app.make()"] == ["jax.Ref"]
    for expression in ("jax.thing()", "evil.thing()", "pipe.thing()", "device.thing()"):
        assert answers[expression] == [], expression
    modules = report["modules"]
    assert modules["app"] == "app/__init__.py"
    assert modules["trap"] == "trap.py"
    assert modules["loop.loop.loop.app"] == "loop/loop/loop/app/__init__.py"
    for name in ("jax", "evil", "pipe", "device"):
        assert modules[name] is None, name


def test_the_audit_hook_would_notice(tmp_path: Path) -> None:
    """The probe's hook is no ornament: the same project read by importing it is caught."""
    project, outside, cache = tmp_path / "project", tmp_path / "marks", tmp_path / "cache"
    for folder in (project, outside, cache):
        folder.mkdir()
    plant(project, outside)
    careless = PROBE.replace(
        "resolver = Resolver",
        "sys.path.append(project); import trap; os.system('true'); "
        "sys.path.remove(project); resolver = Resolver",
    )
    completed = subprocess.run(
        [sys.executable, "-c", careless, str(project), str(cache)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
    )
    report = json.loads(completed.stdout)
    events = {event for event, _ in report["seen"]}
    assert {"import", "exec", "os.system"} <= events
    assert report["loaded"] == ["trap"]


def test_jedi_is_not_imported_before_a_question(tmp_path: Path) -> None:
    probe = (
        "import sys\n"
        "from jaxref.resolve.resolver import Resolver\n"
        "from jaxref.settings import Settings\n"
        f"resolver = Resolver(Settings(), path={str(tmp_path / 'main.py')!r})\n"
        "resolver.module('nothing', resolver.path)\n"
        "print([name for name in ('jedi', 'parso', 'lsprotocol', 'pygls') if name in sys.modules])\n"
    )
    completed = subprocess.run(
        [sys.executable, "-c", probe],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
    )
    assert completed.stdout.strip() == "[]"
