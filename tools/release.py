"""Makes what is released, wheel, sdist and extension, from the last commit: the same bytes each time.

python tools/release.py [--out FOLDER]    checks the versions, builds, prints SHA-256 sums
python tools/release.py --snapshot        builds also what is not ready for a release
    --python-only                         without the extension, which needs Node and npm

Everything is built twice, in folders of other names, and compared. Times inside are that of the commit,
the build tools are those of tools/release-requirements.txt and vscode-client/package-lock.json, and
files that are not committed have no part in it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


class Problem(Exception):
    """Why nothing can be released; `str()` may be of several lines."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the script. Returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=REPOSITORY / "dist", metavar="FOLDER")
    parser.add_argument("--snapshot", action="store_true")
    parser.add_argument("--python-only", action="store_true")
    parser.add_argument("--repository", type=Path, default=REPOSITORY, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        made = release(
            options.repository, options.out.resolve(), options.snapshot, options.python_only
        )
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    sums = "".join(f"{sha256(path)}  {path.name}\n" for path in made)
    (options.out / "SHA256SUMS").write_text(sums, encoding="ascii")
    print(sums, end="")
    return 0


def release(repository: Path, out: Path, snapshot: bool, python_only: bool) -> list[Path]:
    """Build all twice and put it into `out`. Raises `Problem`."""
    with tempfile.TemporaryDirectory(prefix="jaxref-release-") as name:
        folder = Path(name)
        tools = folder / "tools"
        first, second = folder / "first", folder / "a-second-time"
        commit = _git(repository, "rev-parse", "HEAD")
        committed = exported(repository, commit, first / "source")
        problems = version_problems(committed, snapshot)
        if not snapshot and _git(repository, "status", "--porcelain", "--untracked-files=no"):
            problems.append("there are changes that are not committed")
        if problems:
            raise Problem("\n".join(problems))
        _run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "install"]
            + ["--require-hashes", "--no-deps", "--target", str(tools)]
            + ["-r", str(committed / "tools" / "release-requirements.txt")],
            folder,
        )
        environment = {
            **os.environ,
            "PYTHONPATH": str(tools),
            "SOURCE_DATE_EPOCH": _git(repository, "log", "-1", "--format=%ct", commit),
            "TZ": "UTC",
        }
        made = built(committed, first, environment, python_only)
        source = exported(repository, commit, second / "source")
        again = built(source, second, environment, python_only)
        for one, other in zip(made, again, strict=True):
            if one.name != other.name or sha256(one) != sha256(other):
                raise Problem(f"{one.name} is not the same when it is built again")
        out.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(one, out)) for one in made]


def exported(repository: Path, commit: str, into: Path) -> Path:
    """A commit as files in the folder `into`, with the modes that git knows."""
    into.mkdir(parents=True)
    archive = subprocess.run(
        ["git", "archive", "--format=tar", commit],
        cwd=repository,
        stdout=subprocess.PIPE,
        check=True,
    )
    previous = os.umask(0o022)
    try:
        _run(["tar", "-x", "--no-same-permissions", "-f", "-"], into, archive.stdout)
    finally:
        os.umask(previous)
    return into


def version_problems(project: Path, snapshot: bool) -> list[str]:
    """What is wrong with the versions in `project`, one line each.

    A `snapshot` need not be in the changelogs.
    """
    places = {
        "server/jaxref/__init__.py": r'^__version__ = "([^"]+)"',
        "docs/ci.md": r"\brev: v(\S+)",
        "docs/editors.md": r"\bjaxref-([\d.]+)\.vsix",
    }
    if not snapshot:
        # Above the newest number may stand `Unreleased`, but with nothing under it.
        newest = r"^# .*?\n## (?:\[Unreleased\]\s+## )?\[(\d[^\]]*)\]"
        places |= dict.fromkeys(("CHANGELOG.md", "vscode-client/CHANGELOG.md"), newest)
    found = {
        name: _first_group(pattern, (project / name).read_text(encoding="utf-8"))
        for name, pattern in places.items()
    }
    for name in ("package.json", "package-lock.json"):
        read = json.loads((project / "vscode-client" / name).read_text(encoding="utf-8"))
        found[f"vscode-client/{name}"] = read["version"]
    version = found["server/jaxref/__init__.py"]
    return [
        f"{name}: names no version that is to be released"
        if other is None
        else f"{name}: is of version {other}, server/jaxref/__init__.py of {version}"
        for name, other in found.items()
        if other != version
    ]


def _first_group(pattern: str, text: str) -> str | None:
    match = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    return None if match is None else match[1]


def built(source: Path, folder: Path, environment: dict[str, str], python_only: bool) -> list[Path]:
    """The artefacts of `source`, made in `folder`: sdist, from it the wheel, and the extension."""
    hatchling = [sys.executable, "-m", "hatchling", "build"]
    _run([*hatchling, "-t", "sdist", "-d", str(folder / "sdist")], source, env=environment)
    (sdist,) = (folder / "sdist").iterdir()
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    _run([*hatchling, "-t", "wheel", "-d", str(folder / "wheel")], unpacked, env=environment)
    (wheel,) = (folder / "wheel").iterdir()
    if python_only:
        return [sdist, wheel]
    return [sdist, wheel, _extension(source, folder, environment)]


def _extension(source: Path, folder: Path, environment: dict[str, str]) -> Path:
    client = source / "vscode-client"
    npm = shutil.which("npm")
    if npm is None:
        raise Problem("the extension needs npm; --python-only does without")
    _run([npm, "ci", "--silent", "--no-audit", "--no-fund"], client, env=environment)
    _run([npm, "run", "--silent", "package"], client, env={**environment, "PYTHON": sys.executable})
    version = json.loads((client / "package.json").read_text(encoding="utf-8"))["version"]
    return (client / "dist" / "jaxref.vsix").rename(folder / f"jaxref-{version}.vsix")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=repository, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.strip()


def _run(
    command: list[str], folder: Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> None:
    done = subprocess.run(
        command, cwd=folder, input=stdin, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode != 0:
        said = done.stdout.decode(errors="replace").strip()
        raise Problem(f"{' '.join(command[:4])} ... failed with {done.returncode}:\n{said}")


if __name__ == "__main__":
    sys.exit(main())
