"""Results kept for other runs: taken while all that they rest on is the same, and only then."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxref.cli import cache as caching
from jaxref.cli.cache import cache_folder
from jaxref.cli.main import main
from jaxref.cli.options import OUTPUT_FORMATS

Write = Callable[[str, str | bytes], Path]

MADE = """import jax

def made(x):
    return jax.new_ref(x)
"""
USED = """import jax
from lib import made

@jax.jit
def f(x):
    ref = made(x)
    return ref

f(1.0)
"""


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, int]]:
    """Checks with the real analysis; gives the output and how many results were reused."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JAXREF_OUTPUT_FORMAT", raising=False)

    def run(*arguments: str) -> tuple[str, int]:
        capfd.readouterr()
        main(["check", "--verbose", "--output-format", "concise", *arguments])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        reused = re.search(r", (\d+) as before in", err)
        return out, int(reused[1]) if reused else 0

    return run


def write_pair(write: Write) -> None:
    write("lib.py", MADE)
    write("a.py", USED)


def test_the_second_run_finds_the_same(check, write: Write) -> None:
    write_pair(write)
    write("b.py", "x = (\n")
    write("p.md", f"```python\n{USED.replace('from lib import made', MADE)}\n```\n")
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": USED}]
    write("n.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    for output_format in OUTPUT_FORMATS:
        chosen = ("--output-format", output_format)
        fresh, none = check("--no-cache", *chosen)
        assert none == 0
        assert fresh.count("ref-returned") >= 3
        check(*chosen)
        again, reused = check(*chosen)
        assert reused == 5
        assert again == fresh


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
def test_what_is_kept_is_for_its_owner_alone(check, write: Write) -> None:
    write("a.py", MADE)
    before = os.umask(0)
    try:
        check()
    finally:
        os.umask(before)
    folder = Path(cache_folder(None))
    kept = [path for path in folder.rglob("*") if path.is_file() and path.parent != folder]
    assert kept
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


def test_what_is_known_is_told_without_the_analyser(write: Write, tmp_path: Path) -> None:
    write("a.py", USED)
    write("lib.py", MADE)
    arguments = ["check", "--cache-dir", str(tmp_path / "kept"), str(tmp_path)]
    program = (
        "import sys\n"
        "from jaxref.cli.main import main\n"
        f"main({arguments!r})\n"
        "costly = {'jaxref.engine', 'jaxref.source.parsing', 'argparse'}\n"
        "print(*sorted(costly & sys.modules.keys()), file=sys.stderr)\n"
    )
    first, second = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert first.stderr == "jaxref.engine jaxref.source.parsing\n"
    assert second.stderr == "\n"
    assert "found 1 error" in first.stdout
    assert second.stdout == first.stdout


@pytest.mark.parametrize("arguments", [("--jobs", "1"), ("--jobs", "2")])
def test_what_changed_is_analysed(check, write: Write, arguments: tuple[str, ...]) -> None:
    write_pair(write)
    write("other.py", "x = 1\n")
    before, _ = check(*arguments)
    assert "a.py:7:12: error[ref-returned]" in before
    write("other.py", "x = (\n")
    after, reused = check(*arguments)
    assert (after, reused) == (
        before + "other.py:1:5: error[syntax-error] '(' was never closed\n",
        2,
    )


def age(path: Path) -> None:
    """Let the file be older than the analysis that reads it."""
    earlier = time.time() - 60
    os.utime(path, (earlier, earlier))


def test_a_module_that_was_read_changes(check, write: Write) -> None:
    write_pair(write)
    assert "ref-returned" in check("a.py")[0]
    assert check("a.py")[1] == 1
    age(write("lib.py", MADE.replace("jax.new_ref(x)", "x")))
    assert check("a.py") == ("", 0)
    assert check("a.py") == ("", 1)


def test_a_module_that_was_missing_comes_and_goes(check, write: Write, tmp_path: Path) -> None:
    write("a.py", USED)
    assert check("a.py") == ("", 0)
    assert check("a.py") == ("", 1)
    age(write("lib.py", MADE))
    assert "ref-returned" in check("a.py")[0]
    assert check("a.py")[1] == 1
    (tmp_path / "lib.py").unlink()
    assert check("a.py") == ("", 0)
    age(write("lib/__init__.py", MADE))
    assert "ref-returned" in check("a.py")[0]


def test_a_module_that_changes_while_it_is_read_is_not_relied_on(check, write: Write) -> None:
    write_pair(write)
    later = time.time() + 60
    os.utime("lib.py", (later, later))
    assert "ref-returned" in check("a.py")[0]
    assert check("a.py")[1] == 0


def test_settings_count(check, write: Write) -> None:
    write_pair(write)
    check("a.py")
    for arguments in (
        ("--ignore", "ref-returned"),
        ("--severity", "ref-returned=info"),
        ("--jax-version", "0.9"),
        ("--ignore-suppressions",),
    ):
        assert check("a.py", *arguments)[1] == 0, arguments
        assert check("a.py", *arguments)[1] == 1, arguments
    write("jaxref.toml", 'select = ["ref-of-ref"]\n')
    assert check("a.py") == ("", 0)


def test_the_environment_counts(check, write: Write, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("jaxref.resolve.surroundings._ENVIRONMENT_SECONDS", 0.0)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    write_pair(write)
    check("a.py")
    packages = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"
    packages.mkdir(parents=True)
    write(".venv/pyvenv.cfg", "version = 3.12.1\n")
    assert check("a.py")[1] == 0
    assert check("a.py")[1] == 1
    (packages / "new").mkdir()
    os.utime(packages, (1, 1))
    assert check("a.py")[1] == 0


def test_another_jaxref_has_its_own_results(check, write: Write, monkeypatch) -> None:
    write_pair(write)
    check("a.py")
    monkeypatch.setattr("jaxref.__version__", "99")
    assert check("a.py")[1] == 0


def test_nothing_is_kept_unasked(check, write: Write, cache_folder: Path, tmp_path: Path) -> None:
    write_pair(write)
    check("--no-cache")
    assert list(cache_folder.iterdir()) == []
    check()
    assert {path.name for path in tmp_path.iterdir()} == {"lib.py", "a.py"}
    check("--cache-dir", "kept")
    assert (tmp_path / "kept" / ".gitignore").read_text() == "*\n"
    tag = (tmp_path / "kept" / "CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55")


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.json"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"ref-returned", b"ref-retorned"),
        lambda data: b"\x80\x04" + data,
        lambda data: b"[" * 100_000,
    ],
)
def test_broken_entries_are_as_good_as_none(check, write, cache_folder: Path, damage) -> None:
    write_pair(write)
    before, _ = check("a.py")
    [entry] = entries(cache_folder)
    entry.write_bytes(damage(entry.read_bytes()))
    assert check("a.py") == (before, 0)
    assert check("a.py") == (before, 1)


@pytest.mark.parametrize(
    "replacement", [None, 1, [], {}, ["x"] * 7, [1, 2, None, {"a": 1}, 3, "incomplete", [[]]]]
)
def test_entries_of_another_form_are_as_good_as_none(
    check, write, cache_folder: Path, replacement: object
) -> None:
    write_pair(write)
    before, _ = check("a.py")
    [entry] = entries(cache_folder)
    record = json.loads(entry.read_bytes().partition(b"\n")[2])
    record["files"]["a.py"] = replacement
    body = json.dumps(record).encode()
    header = caching._HEADER + caching.digest_of_bytes(body)
    entry.write_bytes(header.encode() + b"\n" + body)
    assert check("a.py") == (before, 0)


def test_a_cache_that_cannot_be_written_costs_nothing(check, write: Write) -> None:
    write_pair(write)
    write("file", "")
    assert "ref-returned" in check("a.py", "--cache-dir", "file/below")[0]


def test_what_failed_is_not_kept(run, write: Write) -> None:
    write("a.py", "explode\n")
    write("b.py", "halfway\n")
    for _ in range(2):
        result = run("check", "--verbose")
        assert result.code == 2
        assert "as before" not in result.err


def test_what_was_given_up_is_told_again(run, write: Write) -> None:
    write("a.py", "partly\n")
    first = run("check", "--verbose").err.splitlines()[0]
    assert run("check", "--verbose").err.splitlines()[0] == first
    assert "1 as before" in run("check", "--verbose").err


def test_deleted_files_are_forgotten(check, write, tmp_path: Path, cache_folder: Path) -> None:
    write_pair(write)
    check()
    (tmp_path / "lib.py").unlink()
    check()
    [entry] = entries(cache_folder)
    assert list(json.loads(entry.read_bytes().partition(b"\n")[2])["files"]) == ["a.py"]


def test_it_stays_small(check, write, cache_folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(caching, "LARGEST_CACHE", 1500)
    for number in range(10):
        write(f"f{number}/a.py", "x = 1\n")
        check(f"f{number}")
    kept = entries(cache_folder)
    assert 1 <= len(kept) < 10
    assert sum(path.stat().st_size for path in kept) <= 1500
    assert check("f9")[1] == 1
    assert check("f0")[1] == 0


def test_concurrent_runs(write: Write, tmp_path: Path, cache_folder: Path) -> None:
    for number in range(20):
        write(f"f{number:02}.py", f"x = {number}\ny = (\n")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "server")}
    command = [sys.executable, "-m", "jaxref", "check", "-v", "--output-format", "concise"]
    running = [
        subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    outputs = {process.communicate(timeout=120)[0] for process in running}
    assert len(outputs) == 1
    assert outputs.pop().count(b"syntax-error") == 20
    last = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert b"20 as before" in last.stderr
    assert not list(cache_folder.glob("*/.new-*"))


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder(str(tmp_path)) == str(tmp_path)
    monkeypatch.setenv("JAXREF_CACHE_DIR", str(tmp_path / "own"))
    assert cache_folder() == str(tmp_path / "own")
    monkeypatch.delenv("JAXREF_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert cache_folder() == str(tmp_path / "caches" / "jaxref")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == os.path.expanduser("~/.cache/jaxref")
