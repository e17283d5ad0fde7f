"""`--fix` and its kin: what is written, and what is left alone."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str | bytes], Path]


def test_safe_fixes_are_applied(run, write: Write) -> None:
    path = write("a.py", "bad\nworse\n")
    result = run("check", "--fix", "--output-format", "concise")
    assert path.read_text() == "good\nworse\n"
    assert result.code == 1
    assert result.out.splitlines() == [
        "a.py:2:1: error[worse-rule] `worse` is worse, write something better"
    ]


def test_unsafe_fixes_when_asked_for(run, write: Write) -> None:
    path = write("a.py", "bad\nworse\n")
    result = run("check", "--fix", "--unsafe-fixes")
    assert path.read_text() == "good\ngood\n"
    assert result.code == 0
    assert result.out == "fixed 2 problems, nothing found in 1 file\n"


def test_exit_non_zero_on_fix(run, write: Write) -> None:
    write("a.py", "bad\n")
    assert run("check", "--fix", "--exit-non-zero-on-fix").code == 1


def test_fix_only_reports_nothing_else(run, write: Write) -> None:
    path = write("a.py", "bad\nodd\n")
    result = run("check", "--fix-only")
    assert (result.code, result.out) == (0, "")
    assert path.read_text() == "good\nodd\n"


def test_diff_writes_nothing(run, write: Write) -> None:
    path = write("a.py", "x\nbad\n")
    result = run("check", "--diff")
    assert result.code == 1
    assert result.out == "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n x\n-bad\n+good\n"
    assert path.read_text() == "x\nbad\n"
    write("a.py", "'\x0c'\nbad '\u2028'")
    assert run("check", "--diff").out.splitlines(keepends=False)[0:2] == ["--- a.py", "+++ a.py"]
    assert "\n-bad '\u2028'\n\\ No newline" in run("check", "--diff").out
    write("a.py", "odd\n")
    assert run("check", "--diff").code == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"bad\r\nx\r\n", b"good\r\nx\r\n"),
        (b"\xef\xbb\xbfbad", b"\xef\xbb\xbfgood"),
        (b"# coding: latin-1\nbad = '\xe9'\n", b"# coding: latin-1\ngood = '\xe9'\n"),
        (b"bad\x0c\rx", b"good\x0c\rx"),
    ],
)
def test_encoding_and_line_ends_stay(run, write: Write, before: bytes, after: bytes) -> None:
    path = write("a.py", before)
    run("check", "--fix")
    assert path.read_bytes() == after


def test_the_mode_stays_and_untouched_files_are_not_written(run, write: Write) -> None:
    path, other = write("a.py", "bad\n"), write("b.py", "x\n")
    path.chmod(0o750)
    stamp = other.stat().st_mtime_ns
    run("check", "--fix")
    assert path.stat().st_mode & 0o777 == 0o750
    assert other.stat().st_mtime_ns == stamp


def test_a_notebook_changes_only_where_it_is_fixed(run, write: Write) -> None:
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": []}
        for source in (["x = 1\n", "bad\n"], ["%cd ..\n", "y = 'é'"])
    ]
    content = json.dumps({"nbformat": 4, "cells": cells}, indent=3, ensure_ascii=False)
    path = write("n.ipynb", content)
    run("check", "--fix")
    assert path.read_text(encoding="utf-8") == content.replace("bad", "good")


def test_a_page_is_fixed_in_its_fence(run, write: Write) -> None:
    path = write("p.md", "bad\n\n  ```py\n  bad\n  ```\n")
    run("check", "--fix")
    assert path.read_text() == "bad\n\n  ```py\n  good\n  ```\n"


def test_standard_input_is_fixed_to_standard_output(run, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"bad\r\nodd\r\n")))
    result = run("check", "-", "--fix", "--output-format", "concise")
    assert result.out == "good\r\nodd\r\n"
    assert result.err.startswith("<stdin>:2:1: warning[odd-rule]")
    assert result.code == 1


def test_what_the_encoding_cannot_hold_is_not_written(
    run, write: Write, words, monkeypatch
) -> None:
    monkeypatch.setitem(words, "bad", ("bad-rule", "error", "漢", "safe"))
    path = write("a.py", b"# coding: latin-1\nbad\n")
    result = run("check", "--fix")
    assert result.code == 2
    assert "not written: iso-8859-1 has no such character" in result.err
    assert path.read_bytes() == b"# coding: latin-1\nbad\n"


def test_a_file_that_changes_meanwhile_is_not_overwritten(run, write: Write, monkeypatch) -> None:
    path = write("a.py", "bad\n")
    from jaxref.cli import fixing

    real = fixing.fix_content

    def slowly(*arguments):
        fixed = real(*arguments)
        path.write_text("edited\n")
        return fixed

    monkeypatch.setattr(fixing, "fix_content", slowly)
    result = run("check", "--fix")
    assert result.code == 2
    assert "changed meanwhile" in result.err
    assert path.read_text() == "edited\n"
