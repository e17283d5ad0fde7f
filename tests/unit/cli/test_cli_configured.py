"""`--config KEY=VALUE`, `--extension` and `--show-fixes`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str | bytes], Path]


def settings(run, *arguments: str) -> dict[str, object]:
    shown = run("config", "--output-format", "json", *arguments)
    assert shown.code == 0, shown
    made: dict[str, object] = json.loads(shown.out)["settings"]
    return made


@pytest.mark.parametrize(
    ("written", "key", "value"),
    [
        ('ignore=["bad-rule"]', "ignore", ["bad-rule"]),
        ("ignore=bad-rule", "ignore", ["bad-rule"]),
        ("ignore = bad-rule, odd-rule", "ignore", ["bad-rule", "odd-rule"]),
        ("select='bad-rule'", "select", ["bad-rule"]),
        ("exclude=", "exclude", []),
        ("severity.bad-rule=hint", "severity", {"bad-rule": "hint"}),
        ('severity={bad-rule="hint"}', "severity", {"bad-rule": "hint"}),
        ("jax-version=0.12", "jax-version", "0.12"),
        ("jax-version=0.12.0.1", "jax-version", "0.12.0.1"),
        ('jax-version="0.10"', "jax-version", "0.10"),
        ("jax-version=0.10", "jax-version", "0.10"),
        ("hints=false", "hints", False),
    ],
)
def test_one_setting(run, written: str, key: str, value: object) -> None:
    assert settings(run, "--config", written)[key] == value
    origins = json.loads(run("config", "--config", written, "--output-format", "json").out)
    assert origins["origins"][key] == "command line"


def test_an_environment_counts_from_the_current_folder(run, write: Write, tmp_path: Path) -> None:
    write("sub/jaxref.toml", "")
    write("env/pyvenv.cfg", "home = /usr/bin\nversion = 3.13.0\n")
    write("env/lib/python3.13/site-packages/README.txt", "")
    shown = settings(run, "sub", "--config", "python=env")
    assert shown["python"] == os.path.join(tmp_path, "env")


def test_settings_add_up_and_files_and_options_have_their_rank(run, write: Write) -> None:
    write("jaxref.toml", 'ignore = ["odd-rule"]\nhints = false\n')
    write("a.py", "bad; odd; worse; dim\n")

    def rules(*arguments: str) -> list[str]:
        out = run("check", "--output-format", "json", *arguments).out
        return [record["rule"] for record in json.loads(out)]

    assert rules() == ["bad-rule", "worse-rule"]
    assert rules("--config", "ignore=bad-rule") == ["worse-rule"]
    both = ("--config", "severity.bad-rule=off", "--config", "severity.worse-rule=off")
    assert rules(*both) == []
    assert rules(*both, "--config", "hints=true") == ["dim-rule"]
    assert rules("--config", "severity.bad-rule=off", "--severity", "bad-rule=error") == [
        "bad-rule",
        "worse-rule",
    ]
    write("other.toml", "")
    assert rules("--config", "other.toml", "--config", "ignore=bad-rule,worse-rule") == [
        "odd-rule",
        "dim-rule",
    ]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("selct=all", "unknown setting `selct`; did you mean `select`?"),
        ("jax_version=0.12", "unknown setting `jax_version`; did you mean `jax-version`?"),
        ("zzz=1", "unknown setting `zzz`"),
        ("hints=maybe", "hints must be true or false, not a string"),
        ("severity.bad-rule=loud", "severity of bad-rule must be one of error,"),
        ("jax-version=new", "jax-version must be a version"),
        ("missing.toml", "no such file, and not KEY=VALUE: missing.toml"),
        ("a..b=1", "`a..b` is not a key of the settings"),
    ],
)
@pytest.mark.parametrize("command", ["check", "config"])
def test_a_wrong_setting_is_told_and_nothing_is_done(
    run, write: Write, command: str, written: str, told: str
) -> None:
    write("a.py", "bad\n")
    result = run(command, "--config", written)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"jaxref {command}: error: argument --config: {told}")
    assert result.err.count("\n") == 1


def test_a_wrong_rule_is_told_with_the_nearest(run, write: Write) -> None:
    write("a.py", "x\n")
    result = run("check", "--config", "ignore=bad-rul")
    assert result.code == 2
    assert "unknown rule `bad-rul`; did you mean `bad-rule`?" in result.err


def test_other_suffixes(run, write: Write) -> None:
    write("a.pyt", "bad\n")
    write("b.QMD", "bad\n\n```python\nbad\n```\n")
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": "bad"}]
    write("c.nb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    write("d.txt", "bad\n")
    extensions = [f"--extension={one}" for one in ("pyt:python", ".qmd:markdown", "nb:notebook")]
    lines = run("check", "--output-format", "concise", *extensions).out.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["a.pyt:1:1", "b.QMD:4:1", "c.nb:cell 1:1:1"]
    assert run("check", "--show-files", *extensions).out.split() == ["a.pyt", "b.QMD", "c.nb"]
    assert run("check", "--show-files").out == ""
    write("a.pyt", "x = (\n")
    write("e.pyt", "x = (\n")
    broken = run("check", "--output-format", "concise", "--no-cache", "--jobs", "2", *extensions)
    assert [line.split(": ")[0] for line in broken.out.splitlines()] == ["a.pyt:1:5", "e.pyt:1:5"]


def test_what_a_suffix_holds_is_part_of_what_is_kept(run, write: Write) -> None:
    write("a.md", "bad\n\n```python\nx\n```\n")
    assert run("check", "a.md", "--output-format", "concise").out == ""
    as_python = run("check", "a.md", "--extension", "md:python", "--output-format", "concise")
    assert as_python.out.startswith("a.md:1:1: error[bad-rule]")
    assert run("check", "a.md", "--output-format", "concise").out == ""


def test_a_declared_encoding_holds_for_other_suffixes(run, write: Write) -> None:
    path = write("a.pyt", b"# coding: latin-1\nx = '\xe9'; bad\n")
    result = run("check", "--fix", "--extension", "pyt:python")
    assert (result.code, result.err) == (0, "")
    assert path.read_bytes() == b"# coding: latin-1\nx = '\xe9'; good\n"


@pytest.mark.parametrize("wrong", ["pyt", "pyt:", "pyt:rust", ":python", "a.b:python"])
def test_no_suffix_and_kind(run, wrong: str) -> None:
    result = run("check", "--extension", wrong)
    assert (result.code, result.out) == (2, "")
    assert "must be EXT:KIND, with a kind of python, notebook, markdown" in result.err


FIXED = """\
fixed in a.py:
  2 x bad-rule: Write `good`
fixed in b.py:
  1 x bad-rule: Write `good`
"""


def test_fixes_are_listed(run, write: Write) -> None:
    write("a.py", "bad; bad; odd\n")
    write("b.py", "bad\n")
    would = run("check", "--diff", "--show-fixes")
    assert would.err == FIXED.replace("fixed in", "would be fixed in")
    assert would.out.startswith("--- a.py\n")
    result = run("check", "--fix", "--show-fixes")
    assert FIXED in result.out
    assert re.search(r"fixed 3 problems, found .*1 warning", result.out)
    write("a.py", "bad; bad; odd\n")
    write("b.py", "bad\n")
    as_json = run("check", "--fix", "--show-fixes", "--output-format", "json")
    assert as_json.err == FIXED
    assert [record["rule"] for record in json.loads(as_json.out)] == ["odd-rule"]
    assert run("check", "--fix", "--show-fixes").err == ""


def test_unsafe_fixes_are_listed_by_name(run, write: Write) -> None:
    write("a.py", "worse\n")
    result = run("check", "--fix-only", "--unsafe-fixes", "--show-fixes", "--output-format", "full")
    assert result.out == "fixed in a.py:\n  1 x worse-rule: Write `good`\n"


def test_showing_fixes_needs_some(run) -> None:
    result = run("check", "--show-fixes")
    assert result.code == 2
    assert "--show-fixes needs --fix, --fix-only or --diff" in result.err
