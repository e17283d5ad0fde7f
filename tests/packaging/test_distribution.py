"""The wheel and the sdist: what is in them, and what works after installing them into nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from email import message_from_string
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
OFFLINE = ("No matching distribution found", "Could not find a version", "Connection", "Network")


@dataclass(frozen=True)
class Built:
    """Both distributions, and the folder of the environment in which the wheel is installed."""

    sdist: Path
    wheel: Path
    environment: Path

    def run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """The installed command, in an empty folder with nothing else to import from."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        kept.pop("VIRTUAL_ENV", None)
        return subprocess.run(
            [self.environment / "bin" / "jaxref", *arguments],
            cwd=self.environment,
            env=kept,
            input=stdin,
            capture_output=True,
            timeout=120,
            check=False,
        )


def pip(*arguments: str | Path) -> None:
    """Run pip; skip where the registry cannot be reached."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    if done.returncode and any(word in done.stderr for word in OFFLINE):
        pytest.skip(f"no packages to be had: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


def build(project: Path, target: str, into: Path, tools: Path) -> Path:
    """Build one distribution of `project`."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (made,) = into.iterdir()
    return made


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    if shutil.which("sh") is None:
        pytest.skip("the command is looked for in bin/")
    folder = tmp_path_factory.mktemp("distribution")
    tools = folder / "tools"
    pip("install", "--target", tools, "hatchling")
    sdist = build(REPOSITORY, "sdist", folder / "sdist", tools)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    wheel = build(unpacked, "wheel", folder / "wheel", tools)
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip("--python", environment, "install", wheel)
    return Built(sdist, wheel, environment)


def test_what_is_inside(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        inside = set(archive.namelist())
        (metadata,) = (name for name in inside if name.endswith(".dist-info/METADATA"))
        described = archive.read(metadata).decode()
    pages = {path.name for path in (REPOSITORY / "tests" / "rules").glob("*.md")}
    assert {name for name in inside if name.startswith("jaxref/rules/pages/")} >= {
        f"jaxref/rules/pages/{name}" for name in pages
    }
    assert "jaxref/py.typed" in inside
    assert "jaxref/resolve/stubs/jax-stubs/__init__.pyi" in inside
    assert any(name.endswith("licenses/LICENSE") for name in inside)
    assert {name.partition("/")[0] for name in inside if ".dist-info" not in name} == {"jaxref"}
    needed = message_from_string(described).get_all("Requires-Dist", [])
    names = {re.split(r"[^\w.-]", one)[0] for one in needed if "extra ==" not in one}
    assert names == {"pygls", "lsprotocol", "jedi", "parso", "pathspec"}


def test_all_of_the_package_is_inside(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        inside = set(archive.namelist())
    package = REPOSITORY / "server"
    tracked = subprocess.run(
        ["git", "ls-files", "server/jaxref"], cwd=REPOSITORY, capture_output=True, text=True
    )
    if tracked.returncode:
        pytest.skip("not a checkout")
    files = {line.removeprefix("server/") for line in tracked.stdout.splitlines()}
    assert {name for name in files if (package / name).exists()} <= inside


def test_the_sdist_holds_what_the_tests_need(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} <= inside
    assert {"tests/conftest.py", "tests/rules/unbound-ref-gradient.md", "docs/api.md"} <= inside
    assert not [name for name in inside if "node_modules" in name or "__pycache__" in name]


def test_version_and_rules(built: Built) -> None:
    said = built.run("--version")
    assert (said.returncode, said.stderr) == (0, b"")
    assert said.stdout.decode().strip() == f"jaxref {built.wheel.name.split('-')[1]}"
    page = built.run("rule", "unbound-ref-gradient")
    assert page.returncode == 0
    assert b"## Examples" in page.stdout


def test_check(built: Built) -> None:
    example = str(REPOSITORY / "examples" / "running_mean.py")
    said = built.run("check", "--output-format", "json", "--isolated", example)
    assert said.returncode == 1, said.stderr
    assert "unbound-ref-gradient" in {one["rule"] for one in json.loads(said.stdout)}


def test_server(built: Built) -> None:
    bodies = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    messages = [json.dumps({"jsonrpc": "2.0", **body}).encode() for body in bodies]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in messages)
    said = built.run("server", stdin=sent)
    assert said.returncode == 0, said.stderr
    first = said.stdout.partition(b"\r\n\r\n")[2]
    answer = json.JSONDecoder().raw_decode(first.decode())[0]
    assert answer["id"] == 1
    assert answer["result"]["serverInfo"]["name"] == "jaxref"
