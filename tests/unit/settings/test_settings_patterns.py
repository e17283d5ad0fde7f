"""Patterns that are plain names mean without pathspec what they mean to it."""

from __future__ import annotations

import pytest
from pathspec import GitIgnoreSpec

from jaxref.settings import DEFAULT_EXCLUDE, Patterns

PATHS = (
    "a.py", "build", "build/", "build/a.py", "src/build/x/a.py", "src/rebuild/a.py", "build.py",
    "Build/a.py", ".git/", ".gitignore", "node_modules/", "a/b/.venv/lib/x.py", "../build/a.py", "x-y", "é/",
)  # fmt: skip


@pytest.mark.parametrize(
    "lines",
    [
        DEFAULT_EXCLUDE,
        ("build",),
        ("x-y", "a.py"),
        ("é",),
        (".git", "src"),
        ("build", "!build/a.py"),
    ],
)
def test_the_verdict_is_that_of_pathspec(lines: tuple[str, ...]) -> None:
    known = GitIgnoreSpec.from_lines(lines)
    made = Patterns(lines)
    for path in PATHS:
        assert made.verdict(path) == known.check_file(path).include, path
