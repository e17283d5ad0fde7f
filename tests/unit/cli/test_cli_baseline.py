"""Baselines: what is known is passed over, what is new is not, what is gone is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str | bytes], Path]
FORMAT = ("--output-format", "concise")


def test_what_is_known_is_not_reported(run, write: Write) -> None:
    write("a.py", "bad\nodd\ndim\n")
    made = run("check", "--write-baseline", "known.json")
    assert (made.code, made.out) == (0, "")
    assert made.err == "jaxref: known.json holds 2 findings now\n"
    again = run("check", "--baseline", "known.json", *FORMAT)
    assert (again.code, again.err) == (0, "")
    assert again.out.startswith("a.py:3:1: hint[dim-rule]")
    assert "passed over 2 problems, found 1 hint" in run("check", "--baseline", "known.json").out


def test_what_is_new_is_reported_and_moving_is_not_new(run, write: Write) -> None:
    write("a.py", "bad\n")
    run("check", "--write-baseline", "known.json")
    write("a.py", "\n\nbad\nx = 1\nbad\n")
    result = run("check", "--baseline", "known.json", *FORMAT)
    assert result.code == 1
    assert [line.split(": ")[0] for line in result.out.splitlines()] == ["a.py:5:1"]


def test_what_is_gone_is_told(run, write: Write, tmp_path: Path) -> None:
    write("a.py", "bad\n")
    write("b.py", "odd\n")
    write("c.py", "bad\n")
    run("check", "--write-baseline", "known.json")
    write("a.py", "x = 1\n")
    (tmp_path / "b.py").unlink()
    result = run("check", "--baseline", "known.json", *FORMAT)
    assert (result.code, result.out) == (0, "")
    assert result.err.splitlines() == [
        "jaxref: not found any more: a.py: [bad-rule] `bad` is bad, write something better",
        "jaxref: not found any more: b.py: [odd-rule] `odd` is odd, write something better",
        "jaxref: run with --write-baseline known.json to forget what is gone",
    ]
    assert run("check", "--baseline", "known.json", "--quiet").err == ""
    assert run("check", "c.py", "--baseline", "known.json").err.count("b.py") == 1
    assert "a.py" not in run("check", "c.py", "--baseline", "known.json").err
    assert "a.py" not in run("check", "--baseline", "known.json", "--ignore", "bad-rule").err


def test_writing_again_keeps_what_was_not_checked(run, write: Write, tmp_path: Path) -> None:
    write("a.py", "bad\n")
    write("b.py", "odd\n")
    write("c.py", "odd\n")
    run("check", "--write-baseline", "known.json")
    write("a.py", "bad\nbad\n")
    (tmp_path / "c.py").unlink()
    run("check", "a.py", "--write-baseline", "known.json")
    known = json.loads((tmp_path / "known.json").read_text())
    assert [entry["path"] for entry in known["findings"]] == ["a.py", "a.py", "b.py"]
    assert run("check", "--baseline", "known.json").code == 0


def test_it_holds_from_every_folder(run, write: Write, tmp_path: Path, monkeypatch) -> None:
    write("src/a.py", "bad\n")
    run("check", "src", "--write-baseline", "known.json")
    monkeypatch.chdir(tmp_path / "src")
    assert run("check", "--baseline", "../known.json").code == 0
    monkeypatch.chdir(tmp_path.parent)
    assert run("check", str(tmp_path), "--baseline", str(tmp_path / "known.json")).code == 0


def test_the_least_severity_to_know(run, write: Write) -> None:
    write("a.py", "bad\nodd\n")
    run("check", "--write-baseline", "known.json", "--fail-on", "error")
    assert run("check", "--baseline", "known.json", *FORMAT).out.count("\n") == 1


def test_nothing_is_written_when_something_failed(run, write: Write, tmp_path: Path) -> None:
    write("a.py", "explode\n")
    write("b.py", "bad\n")
    result = run("check", "--write-baseline", "known.json")
    assert (result.code, result.out) == (2, "")
    assert "known.json: not written, not everything could be checked" in result.err
    assert not (tmp_path / "known.json").exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "no such file"),
        ("nonsense", "is not JSON"),
        ("[]", "is not a baseline"),
        ('{"version": 9, "findings": []}', "of version 9, not 1"),
        ('{"version": 1, "findings": [1]}', "no object"),
        ('{"version": 1, "findings": [{"path": "a.py"}]}', "an entry without one of path, rule"),
    ],
)
def test_a_file_that_is_no_baseline(run, write: Write, content: str | None, reason: str) -> None:
    write("a.py", "bad\n")
    if content is not None:
        path = write("known.json", content)
        assert run("check", "--write-baseline", "known.json").code == 2
        assert path.read_text() == content
    result = run("check", "--baseline", "known.json")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("jaxref: error: known.json: ")
    assert reason in result.err


@pytest.mark.parametrize(
    "arguments", [["--diff"], ["--add-ignore"], ["--baseline", "known.json"], ["-"]]
)
def test_what_cannot_be_meant_together(run, write: Write, arguments: list[str]) -> None:
    write("a.py", "bad\n")
    assert run("check", "--write-baseline", "known.json", *arguments).code == 2
