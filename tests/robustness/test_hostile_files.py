"""Settings and ignore files of a repository that wants to stop or to stall whoever checks it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jaxref.lsp.transport import Framing, FramingError
from jaxref.settings import load_settings, matches, pattern_problem
from jaxref.source.reading import Unreadable, decode_source

PATIENCE = 60
"""Seconds for what takes one; without a bound it would take hours."""
SLOW_PATTERNS = ("*a" * 20 + "*b", "**/a/" * 12 + "**/b", "a*a*a*/" * 6 + "*a*b")
DIGITS = "9" * 5000


def check(folder: Path) -> tuple[int, str]:
    """What the command says of `folder`: its exit code, and the file names of the findings."""
    done = subprocess.run(
        [sys.executable, "-m", "jaxref", "check", "--no-cache", "--output-format", "concise", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def broken(folder: Path, name: str = "main.py") -> Path:
    """A file with something to be found."""
    path = folder / name
    path.write_text("def half(:\n")
    return path


@pytest.mark.parametrize("text", [f"x = {DIGITS}", f'jax-version = "{DIGITS}"'])
def test_a_number_of_thousands_of_digits(tmp_path: Path, text: str) -> None:
    (tmp_path / "jaxref.toml").write_text(text)
    _, problems = load_settings(str(tmp_path / "a.py"))
    assert len(problems) == 1


@pytest.mark.parametrize("pattern", SLOW_PATTERNS)
def test_patterns_that_take_for_ever(tmp_path: Path, pattern: str) -> None:
    assert pattern_problem(pattern) is not None
    long_name = broken(tmp_path, "a" * 200 + ".py")
    (tmp_path / "jaxref.toml").write_text(f'exclude = ["{pattern}"]')
    (tmp_path / ".gitignore").write_text(pattern)
    (tmp_path / ".git").mkdir()
    settings, problems = load_settings(str(long_name))
    assert settings.exclude == ()
    assert "too many stars" in problems[0].message
    code, said = check(tmp_path)
    assert code == 2, "a setting is wrong"
    assert long_name.name in said


@pytest.mark.parametrize(
    "pattern", ["*.py", "**/build/**/*.generated.*.py", "/a/*/b/*/c/*/d*", "*_*_*_*", "a**b"]
)
def test_patterns_that_people_write(pattern: str) -> None:
    assert pattern_problem(pattern) is None


def test_what_is_no_pattern_is_said(tmp_path: Path) -> None:
    (tmp_path / "jaxref.toml").write_text('exclude = ["!", "/"]\nper-file-ignores = {"!" = []}')
    assert matches(("!",), str(tmp_path / "a.py"), str(tmp_path)) is False
    _, problems = load_settings(str(tmp_path / "a.py"))
    assert {one.message.split(":")[0] for one in problems} <= {"exclude", "per-file-ignores"}
    assert problems


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no fifos here")
@pytest.mark.parametrize("name", [".gitignore", ".ignore", "jaxref.toml", "pyproject.toml"])
@pytest.mark.parametrize("kind", ["fifo", "endless", "loop", "folder"])
def test_settings_and_ignore_files_that_are_none(tmp_path: Path, name: str, kind: str) -> None:
    broken(tmp_path)
    (tmp_path / ".git" / "info").mkdir(parents=True)
    for path in (tmp_path / name, tmp_path / ".git" / "info" / "exclude"):
        match kind:
            case "fifo":
                os.mkfifo(path)
            case "endless":
                path.symlink_to("/dev/zero")
            case "loop":
                path.symlink_to(path.name)
            case _:
                path.mkdir()
    code, said = check(tmp_path)
    assert code == 1, said
    assert "main.py" in said


@pytest.mark.parametrize(
    "encoding", ["undefined", "zlib_codec", "rot13", "a" * 5000, "évil", "jax", "os.path"]
)
def test_encodings_that_are_none(encoding: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decode_source(f"# coding: {encoding}\nx\n".encode("latin-1") + b"\xff")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("length", [DIGITS, str(10**18), "-1", "1e3", "0x10", "٣", "1" * 19])
def test_lengths_that_are_none(length: str) -> None:
    framing = Framing()
    sent = f"Content-Length: {length}\r\n\r\n".encode() + b"Content-Length: 2\r\n\r\n{}"
    first, second = framing.feed(sent)
    assert isinstance(first, FramingError)
    assert second == b"{}"
