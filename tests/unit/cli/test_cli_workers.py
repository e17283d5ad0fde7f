"""Several processes: the same output as one, and no loss when one dies."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from jaxref.cli.workers import WORTH_PROCESSES, process_count

Write = Callable[[str, str | bytes], Path]
SERVER = str(Path(__file__).parents[3] / "server")


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jaxref", "check", "--output-format", "concise", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SERVER},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_output_is_that_of_one_process(write: Write, tmp_path: Path) -> None:
    for number in range(12):
        write(f"f{number:02}.py", "x = (\n" * (number % 3) + "y = 1\n")
    write("f05.py", b"\xff")
    write("jaxref.toml", "hint = 1\n")
    one = check(tmp_path, "--no-cache", "--jobs", "1")
    several = check(tmp_path, "--no-cache", "--jobs", "3")
    assert one.stdout
    assert (several.returncode, several.stdout) == (one.returncode, one.stdout)
    assert sorted(several.stderr.splitlines()) == sorted(one.stderr.splitlines())


def test_how_many_processes() -> None:
    assert process_count(None, WORTH_PROCESSES - 1) == 1
    assert process_count(None, WORTH_PROCESSES) == min(8, os.cpu_count() or 1)
    assert process_count(4, 2) == 2
    assert process_count(4, 0) == 1
