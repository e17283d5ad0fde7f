"""The tools that are compared: where the peers are installed and how all of them are started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".cache" / "benchmarks"
ENVIRONMENT = FOLDER / "venv"
PACKAGES = ("ruff", "ty", "pyrefly", "basedpyright")
PLOTTING = "matplotlib"


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool: its language server, and its check of paths with nothing kept from other runs."""

    name: str
    server: tuple[str, ...]
    check: tuple[str, ...]


def install() -> None:
    """Make the environment of the peers and of the plots, once."""
    if not (ENVIRONMENT / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
        pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "-q"]
        subprocess.run([*pip, *PACKAGES, PLOTTING], check=True)
        (ENVIRONMENT / "complete").touch()


def surroundings() -> dict[str, str]:
    """The environment variables for what is measured: Python keeps bytecode, as when installed."""
    variables = {**os.environ, "PYTHONPYCACHEPREFIX": str(FOLDER / "bytecode")}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


def peers(names: list[str] | None = None) -> list[Peer]:
    """jaxref first, then the peers; only those in `names` where these are given."""
    folder = ENVIRONMENT / "bin"
    own = sys.executable
    all_peers = [
        Peer(
            "jaxref",
            (own, "-m", "jaxref", "server"),
            (own, "-m", "jaxref", "check", "--no-cache", "--exit-zero"),
        ),
        Peer(
            "ruff",
            (str(folder / "ruff"), "server"),
            (str(folder / "ruff"), "check", "--no-cache", "--exit-zero"),
        ),
        Peer("ty", (str(folder / "ty"), "server"), (str(folder / "ty"), "check", "--exit-zero")),
        Peer("pyrefly", (str(folder / "pyrefly"), "lsp"), (str(folder / "pyrefly"), "check")),
        Peer(
            "basedpyright",
            (str(folder / "basedpyright-langserver"), "--stdio"),
            (str(folder / "basedpyright"),),
        ),
    ]
    return [peer for peer in all_peers if names is None or peer.name in names]


def versions() -> dict[str, str]:
    """The version of each tool."""
    found = {}
    for name in ("jaxref", *PACKAGES):
        command = [str(ENVIRONMENT / "bin" / name), "--version"]
        if name == "jaxref":
            command = [sys.executable, "-m", "jaxref", "--version"]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        number = re.search(r"\d+(?:\.\w+)+", said)
        found[name] = number[0] if number else "?"
    return found
