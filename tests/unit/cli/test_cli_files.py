"""Which files a run takes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str | bytes], Path]


def listed(run, *arguments: str) -> list[str]:
    result = run("check", "--show-files", *arguments)
    assert result.err == ""
    return result.out.splitlines()


def test_a_folder_is_walked_in_order(run, write: Write) -> None:
    for name in (
        "b.py",
        "a.pyi",
        "c.ipynb",
        "d.md",
        "e.txt",
        "sub/z.py",
        "sub/a/y.py",
        "Sub/x.py",
        "noext",
    ):
        write(name, "")
    expected = ["a.pyi", "b.py", "c.ipynb", "d.md", "Sub/x.py", "sub/z.py", "sub/a/y.py"]
    assert listed(run) == expected
    assert listed(run, ".") == expected
    assert listed(run, "sub", "b.py", "sub/z.py", "b.py") == ["sub/z.py", "sub/a/y.py", "b.py"]


def test_what_is_left_out_by_default(run, write: Write) -> None:
    write("a.py", "")
    for folder in (
        ".venv",
        "node_modules",
        "__pycache__",
        "build",
        "deep/build",
        ".git",
        "x/site-packages",
    ):
        write(f"{folder}/b.py", "")
    write("myenv/pyvenv.cfg", "")
    write("myenv/lib/c.py", "")
    assert listed(run) == ["a.py"]


def test_what_is_given_is_taken_whatever_it_is(run, write: Write) -> None:
    write("build/b.py", "")
    write("script", "")
    assert listed(run, "build/b.py") == ["build/b.py"]
    assert listed(run, "build") == ["build/b.py"]
    assert listed(run, "script") == ["script"]
    assert listed(run, "--force-exclude", "build/b.py", "build", "script") == ["script"]


def test_git_ignore_files(run, write: Write, tmp_path: Path) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    write(".git/info/exclude", "private.py\n")
    write(".gitignore", "# comment\n/top.py\nout/\n*.gen.py\n!kept.gen.py\n")
    write("sub/.gitignore", "here.py\n!there.gen.py\n")
    write("sub/.ignore", "other.py\n")
    for name in (
        "top.py", "private.py", "out/a.py", "x.gen.py", "kept.gen.py", "here.py",
        "sub/top.py", "sub/here.py", "sub/other.py", "sub/there.gen.py", "sub/x.gen.py",
    ):  # fmt: skip
        write(name, "")
    expected = ["here.py", "kept.gen.py", "sub/there.gen.py", "sub/top.py"]
    assert listed(run) == expected
    assert listed(run, "sub") == expected[2:]
    assert listed(run, "out") == ["out/a.py"]


def test_exclude_settings(run, write: Write) -> None:
    write("jaxref.toml", 'extend-exclude = ["third", "*_pb2.py"]')
    for name in ("a.py", "a_pb2.py", "third/b.py", "sub/third/c.py", "sub/d.py"):
        write(name, "")
    assert listed(run) == ["a.py", "sub/d.py"]
    assert listed(run, "third") == ["third/b.py"]
    assert listed(run, "--extend-exclude", "sub") == ["a.py"]
    assert "third/b.py" in listed(run, "--exclude", "sub")


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_links_do_not_lead_in_circles(run, write: Write, tmp_path: Path) -> None:
    path = write("sub/a.py", "")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    (tmp_path / "sub" / "link.py").symlink_to(path)
    (tmp_path / "sub" / "broken.py").symlink_to(tmp_path / "nothing")
    assert listed(run) == ["sub/a.py", "sub/link.py"]
    assert listed(run, "sub/loop/sub/a.py") == ["sub/loop/sub/a.py"]
    assert "is a link that leads nowhere" in run("check", "sub/broken.py").err


def test_files_outside_are_shown_absolute(run, write: Write, tmp_path: Path, monkeypatch) -> None:
    path = write("a.py", "")
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert listed(run, "..") == [str(path)]


def test_special_files_are_not_walked_into(run, write: Write, tmp_path: Path) -> None:
    write("a.py", "")
    os.mkfifo(tmp_path / "pipe.py")
    assert listed(run) == ["a.py"]


def test_odd_names(run, write: Write) -> None:
    write("ä b\n.py", "bad\n")
    result = run("check", "--output-format", "concise")
    assert result.code == 1
    assert result.out.count("\n") == 1


@pytest.mark.parametrize("folder", ["", "project/"])
def test_an_environment_in_the_projects_own_folder(run, write: Write, folder: str) -> None:
    for name in (
        "pyproject.toml",
        "pyvenv.cfg",
        "a.py",
        "lib/own.py",
        "bin/activate_this.py",
        "lib/python3.13/site-packages/x.py",
        "lib/python3.13/other.py",
    ):
        write(folder + name, "")
    write(folder + ".gitignore", "# Created by venv\n*\n")
    assert listed(run) == [f"{folder}a.py", f"{folder}lib/own.py"]
    write(folder + ".gitignore", "lib\n")
    assert listed(run) == [f"{folder}a.py"]
