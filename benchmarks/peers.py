"""The peers: where they are installed and how they are started."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".cache" / "benchmarks" / "venv"
PACKAGES = ("ruff", "ty", "pyrefly", "basedpyright")


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool: its language server, and its check of paths with caches off (None: it has none)."""

    name: str
    server: tuple[str, ...]
    check: tuple[str, ...]


def install() -> None:
    """Make the environment of the peers, once."""
    if not (ENVIRONMENT / "bin" / "ruff").exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "-q", *PACKAGES]
        subprocess.run(pip, check=True)


def peers() -> list[Peer]:
    """jaxref first, then the peers."""
    folder = ENVIRONMENT / "bin"
    own = sys.executable
    return [
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
