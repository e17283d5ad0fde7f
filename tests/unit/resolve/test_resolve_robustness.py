"""The thread that owns jedi survives odd code, forks and process ends, and disturbs no other thread."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxref.resolve.questions import JediBackend, Question, SearchPath

ENVIRON = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
ASK = """
import os, sys, threading
from jaxref.resolve.questions import JediBackend, Question, SearchPath
backend = JediBackend(sys.argv[1])
def ask(text):
    names = backend.ask(Question("/nowhere/m.py", text, text.count("\\n") + 1,
                                 len(text.rpartition("\\n")[2]), SearchPath()), 60)
    return [name.full_name for name in names]
"""


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JediBackend]:
    yield JediBackend(str(tmp_path_factory.mktemp("trees")))


def ask(backend: JediBackend, text: str, search: SearchPath | None = None) -> list[str | None]:
    lines = text.split("\n")
    place = len(lines), len(lines[-1])
    names = backend.ask(Question("/nowhere/m.py", text, *place, search or SearchPath()), 60)
    return [name.full_name for name in names]


def run(tmp_path: Path, script: str, timeout: float = 60) -> str:
    completed = subprocess.run(
        [sys.executable, "-c", ASK + script, str(tmp_path / "trees")],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=True,
        env=ENVIRON,
    )
    return completed.stdout.strip()


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 5000 + "1" + ")" * 5000 + "\nx",
        "x = " + "[" * 5000 + "1" + "]" * 5000 + "\nx",
        "x = " + "f(" * 3000 + "1" + ")" * 3000 + "\nx",
        "\n".join(f"x{i} = x{i - 1}" for i in range(1, 3000)) + "\nx2999",
        "class A(A): pass\nA()",
        "x = [x]\nx[0][0]",
        "def f(x): return g(f(x))\ndef g(x): return f(g(x))\nf(g(1))",
        "from m import *\nfrom . import m\nx = m.x\nx",
        "x = (\nx",
        "\ttry:\n\tx\n  except\n x",
    ],
    ids=range(10),
)
def test_odd_code_costs_at_most_its_answer(backend: JediBackend, text: str) -> None:
    ask(backend, text)
    assert ask(backend, "x = 1\nx") == ["builtins.int"]


@pytest.mark.parametrize(
    "text", ["s = '\ud800'; x = 1\nx", "\ufeffx = 1\nx", "x = 1\0\nx", "x = 1\f\nx"]
)
def test_odd_characters(backend: JediBackend, text: str) -> None:
    assert "builtins.int" in ask(backend, text)


def test_an_upgraded_package_with_an_older_time_stamp(backend: JediBackend, tmp_path: Path) -> None:
    site_packages = tmp_path / "site-packages"
    site_packages.mkdir()
    module = site_packages / "package.py"
    search = SearchPath((), (str(site_packages),))
    text = "import package\npackage.value"
    for number, (source, expected) in enumerate((("1", "int"), ("'new'", "str"), ("2.", "float"))):
        module.write_text(f"value = {source}\n")
        os.utime(module, (1_000_000_000 - number, 1_000_000_000 - number))
        assert ask(backend, text, search) == [f"builtins.{expected}"]


def test_many_threads_ask_at_once(backend: JediBackend) -> None:
    answers: list[tuple[str, list[str | None]]] = []
    values = {"int": "1", "str": "''", "float": "1.", "list": "[]"}

    def body(kind: str, number: int) -> None:
        for turn in range(5):
            found = ask(backend, f"# {number} {turn}\nx = {values[kind]}\nx")
            answers.append((kind, found))

    threads = [
        threading.Thread(target=body, args=(kind, number)) for number in range(4) for kind in values
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(answers) == 80
    assert all(found == [f"builtins.{kind}"] for kind, found in answers)


def test_recursion_limit_of_others_is_left_alone(tmp_path: Path) -> None:
    script = (
        "sys.setrecursionlimit(20_000)\n"
        "seen = set()\n"
        "done = threading.Event()\n"
        "def watch():\n"
        "    while not done.is_set(): seen.add(sys.getrecursionlimit())\n"
        "thread = threading.Thread(target=watch); thread.start()\n"
        "for number in range(20): ask(f'import jax\\n# {number}\\njax.new_ref(0)')\n"
        "done.set(); thread.join(); print(seen)\n"
    )
    assert run(tmp_path, script) == "{20000}"
    # From here on jedi finds the limit high enough and does not set it, nor set it back.
    script = (
        "ask('x = 1\\nx'); from jedi.api import helpers\n"
        "set_limits = []\n"
        "sys.setrecursionlimit = set_limits.append\n"
        "print(ask('x = 2.\\nx'), set_limits)\n"
    )
    assert run(tmp_path, script) == "['builtins.float'] []"


def test_search_path_of_the_process_is_left_alone(tmp_path: Path) -> None:
    script = (
        "before = list(sys.path); same = [True]\n"
        "done = threading.Event()\n"
        "def watch():\n"
        "    while not done.is_set(): same[0] = same[0] and list(sys.path) == before\n"
        "thread = threading.Thread(target=watch); thread.start()\n"
        "for number in range(20): ask(f'import os, jax, absent\\n# {number}\\nos.path.join(1)')\n"
        "done.set(); thread.join(); print(same[0])\n"
    )
    assert run(tmp_path, script) == "True"


def test_a_process_ends_while_jedi_works(tmp_path: Path) -> None:
    script = (
        "backend.ask_later(Question('/nowhere/m.py', 'x = ' + 'f(' * 4000 + ')' * 4000,"
        " 1, 8004, SearchPath()))\n"
        "import time; time.sleep(0.3); print('ended')\n"
    )
    assert run(tmp_path, script, timeout=20) == "ended"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_has_a_thread_of_its_own(tmp_path: Path) -> None:
    script = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "print(ask('x = 1\\nx'), flush=True)\n"
        "child = os.fork()\n"
        "if not child:\n    print(ask('x = 2.\\nx'), flush=True)\n    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    assert run(tmp_path, script).splitlines() == ["['builtins.int']", "['builtins.float']"]


@pytest.mark.skipif(os.name == "nt", reason="modes of folders mean nothing here")
def test_trees_are_not_kept_where_others_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jaxref.resolve.jedi_backend import _own_cache_folder

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _own_cache_folder() == str(tmp_path / "jaxref" / "trees")
    assert (tmp_path / "jaxref" / "trees").stat().st_mode & 0o077 == 0
    (tmp_path / "jaxref" / "trees").chmod(0o777)
    assert _own_cache_folder() is None
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert _own_cache_folder() is None
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert _own_cache_folder() is None


def test_without_a_cache_folder_nothing_is_written(tmp_path: Path) -> None:
    script = (
        "backend = JediBackend(None)\n"
        "written = []\n"
        "def watch(event, arguments):\n"
        "    if event == 'open' and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT:\n"
        "        if '__pycache__' not in str(arguments[0]): written.append(arguments[0])\n"
        "sys.addaudithook(watch)\n"
        "os.environ['XDG_CACHE_HOME'] = 'relative'\n"
        "sys.platform = 'linux'\n"
        "print(ask('import jax\\njax.new_ref(0)'), written)\n"
    )
    assert run(tmp_path, script) == "['jax.Ref'] []"
