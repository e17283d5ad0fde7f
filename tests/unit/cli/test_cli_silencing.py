"""`--add-ignore` and `--ignore-suppressions`, with the real analysis."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxref.cli.main import main

RETURNED = """import jax

@jax.jit
def f(x):
    ref = jax.new_ref(x)
    return ref

f(1.0)
"""

Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Check:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JAXREF_OUTPUT_FORMAT", raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main(["check", "--jax-version", "0.12", *arguments])
        sys.stdout.flush()
        return code, *capfd.readouterr()

    return run


def test_comments_are_added_and_then_nothing_is_found(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(RETURNED)
    code, out, _ = check("--add-ignore")
    assert (code, out) == (0, "ignored 1 problem, nothing found in 1 file\n")
    expected = RETURNED.replace("return ref", "return ref  # jaxref: ignore[ref-returned]")
    assert path.read_text() == expected
    assert check("--quiet")[:2] == (0, "")
    assert check("--add-ignore", "--quiet")[:2] == (0, "")
    assert path.read_text() == expected


def test_what_comments_silence_can_be_reported(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(RETURNED)
    check("--add-ignore")
    code, out, _ = check("--ignore-suppressions", "--output-format", "json")
    assert code == 1
    assert [(record["rule"], record["suppressed"]) for record in json.loads(out)] == [
        ("ref-returned", True)
    ]
    assert check("--ignore-suppressions", "--output-format", "json")[1] == out, "as it was kept"
    (tmp_path / "b.py").write_text("x = (  # jaxref: ignore-file\n")
    assert check("b.py")[0] == 0
    code, out, _ = check("b.py", "--ignore-suppressions", "--output-format", "json")
    assert (code, json.loads(out)[0]["suppressed"]) == (1, True)
    (tmp_path / "c.py").write_text(RETURNED)
    out = check("c.py", "--ignore-suppressions", "--output-format", "json")[1]
    assert [record["suppressed"] for record in json.loads(out)] == [False]


def test_what_is_wrong_with_comments_has_the_severity_of_the_settings(
    check: Check, tmp_path: Path
) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        RETURNED.replace("return ref", "return ref  # jaxref: ignore")
        + "# jaxref: ignore[ref-of-ref]\n"
    )
    code, out, _ = check("--output-format", "concise")
    assert code == 0
    assert [line.split("]")[0].split(": ")[1] for line in out.splitlines()] == [
        "hint[unused-ignore"
    ]
    code, out, _ = check(
        "--severity",
        "unused-ignore=warning",
        "--config",
        "hints=false",
        "--output-format",
        "concise",
    )
    assert code == 1
    assert "a.py:9:1: warning[unused-ignore] " in out
    asked = ("--severity", "bare-ignore=error", "--ignore", "unused-ignore")
    code, out, _ = check(*asked, "--output-format", "concise")
    assert (code, out.count("\n")) == (1, 1)
    assert out.startswith("a.py:6:17: error[bare-ignore] ")
    assert check(*asked, "--fix")[0] == 0
    assert "return ref  # jaxref: ignore[ref-returned]\n" in path.read_text()
    assert check("--select", "bare-ignore", "--output-format", "concise")[1] == ""


def test_a_broken_file_is_silenced_where_it_can_be(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(RETURNED + "x = (\n")
    code, out, _ = check("--add-ignore", "--output-format", "concise")
    assert code == 1
    assert "# jaxref: ignore[ref-returned]" in path.read_text()
    assert [line.split("[")[1].split("]")[0] for line in out.splitlines()] == ["syntax-error"]


def test_a_notebook_is_silenced_in_its_cell(check: Check, tmp_path: Path) -> None:
    source = RETURNED.splitlines(keepends=True)
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": lines}
        for lines in (["%cd ..\n", "import jax"], source)
    ]
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1))
    before = path.read_text()
    assert check("--add-ignore")[0] == 0
    assert path.read_text() == before.replace(
        "return ref", "return ref  # jaxref: ignore[ref-returned]"
    )


def test_a_diff_of_the_comments(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(RETURNED)
    code, out, _ = check("--add-ignore", "--diff")
    assert code == 1
    assert "+    return ref  # jaxref: ignore[ref-returned]\n" in out
    assert path.read_text() == RETURNED


def test_standard_input_with_comments(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RETURNED.encode())))
    code, out, _ = check("-", "--add-ignore")
    assert code == 0
    assert "return ref  # jaxref: ignore[ref-returned]\n" in out


def test_only_what_fails_is_silenced(check: Check, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(RETURNED)
    code, _, _ = check("--severity", "ref-returned=warning", "--add-ignore", "--fail-on", "error")
    assert (code, path.read_text()) == (0, RETURNED)


@pytest.mark.parametrize("other", ["--ignore-suppressions", "--fix-only", "--watch"])
def test_what_cannot_be_meant_together(check: Check, other: str) -> None:
    code, out, err = check("--add-ignore", other)
    assert (code, out) == (2, "")
    assert "--add-ignore" in err
