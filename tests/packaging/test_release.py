"""tools/release.py: the same bytes each time, of what is committed, and versions that agree."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SCRIPT = REPOSITORY / "tools" / "release.py"
OFFLINE = ("No matching distribution found", "Could not find a version", "Connection", "Network")

needs_checkout = pytest.mark.skipif(
    not (REPOSITORY / ".git").exists() or shutil.which("git") is None, reason="not a checkout"
)


def release(
    *arguments: str | Path, umask: int = 0o022, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What the script says; skips where the registry cannot be reached."""
    done = subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        env={**os.environ, **environment},
        umask=umask,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode and any(word in done.stderr for word in OFFLINE):
        pytest.skip("no packages to be had")
    return done


def sums(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name != "SHA256SUMS"
    }


@needs_checkout
def test_two_builds_are_the_same_bytes(tmp_path: Path) -> None:
    """On another day, in another time zone, by somebody whose files nobody else may read."""
    arguments = ("--snapshot", "--python-only", "--out")
    first = release(*arguments, tmp_path / "one", TZ="Asia/Tokyo", LANG="C")
    assert first.returncode == 0, first.stderr
    temporary = tmp_path / "somewhere else"
    temporary.mkdir()
    second = release(
        *arguments,
        tmp_path / "two",
        umask=0o077,
        TZ="America/Lima",
        TMPDIR=str(temporary),
        PYTHONHASHSEED="7",
        SOURCE_DATE_EPOCH="99999",
    )
    assert second.returncode == 0, second.stderr
    made = sums(tmp_path / "one")
    assert sorted(name.rpartition(".")[2] for name in made) == ["gz", "whl"]
    assert sums(tmp_path / "two") == made
    said = dict(line.split("  ")[::-1] for line in first.stdout.splitlines())
    assert said == made
    assert (tmp_path / "one" / "SHA256SUMS").read_text() == first.stdout
    assert not list(temporary.iterdir()), "nothing is left behind"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of its own, in which the files with versions are committed."""
    folder = tmp_path / "project"
    for name in (
        "CHANGELOG.md",
        "docs/ci.md",
        "docs/editors.md",
        "server/jaxref/__init__.py",
        "vscode-client/CHANGELOG.md",
        "vscode-client/package.json",
        "vscode-client/package-lock.json",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, folder / name)
    git(folder, "init", "-q")
    commit(folder)
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
    git(folder, *who, "commit", "-q", "--allow-empty", "-m", "More")


@needs_checkout
@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("vscode-client/package.json", '"version": "', '"version": "9', "9"),
        ("vscode-client/package-lock.json", '"version": "', '"version": "9', "9"),
        ("docs/ci.md", "rev: v", "rev: v9", "9"),
        ("CHANGELOG.md", "## [Unreleased]", "## [9.1.0]", "9.1.0"),
    ],
)
def test_versions_that_do_not_agree(
    project: Path, tmp_path: Path, name: str, old: str, new: str, told: str
) -> None:
    path = project / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    commit(project)
    done = release("--python-only", "--repository", project, "--out", tmp_path / "out")
    assert done.returncode == 1
    (line,) = (line for line in done.stderr.splitlines() if line.startswith(f"{name}: "))
    assert re.match(rf"{re.escape(name)}: is of version {re.escape(told)}", line)
    assert not (tmp_path / "out").exists()


@needs_checkout
def test_a_release_needs_its_number_in_the_changelog_and_all_committed(
    project: Path, tmp_path: Path
) -> None:
    for name in ("CHANGELOG.md", "vscode-client/CHANGELOG.md"):
        text = (project / name).read_text(encoding="utf-8")
        text = re.sub(r"## \[[\d.]+\].*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
        (project / name).write_text(text, encoding="utf-8")
    commit(project)
    (project / "docs" / "ci.md").write_text("changed", encoding="utf-8")
    done = release("--python-only", "--repository", project, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "CHANGELOG.md: names no version that is to be released",
        "vscode-client/CHANGELOG.md: names no version that is to be released",
        "there are changes that are not committed",
    ]


@needs_checkout
def test_only_what_is_committed_is_built(tmp_path: Path) -> None:
    """A file that lies about in the checkout is not in the sdist."""
    stray = REPOSITORY / "docs" / f"stray-{os.getpid()}.md"
    stray.write_text("not committed", encoding="utf-8")
    try:
        done = release("--snapshot", "--python-only", "--out", tmp_path / "out")
    finally:
        stray.unlink()
    assert done.returncode == 0, done.stderr
    (sdist,) = (tmp_path / "out").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert "docs/ci.md" in names
    assert f"docs/{stray.name}" not in names
