"""Completion scripts, run by the shells themselves where they are installed."""

from __future__ import annotations

import os
import pty
import select
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxref.cli.completion import commands
from jaxref.cli.options import OUTPUT_FORMATS, SHELLS

Write = Callable[[str, str | bytes], Path]


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def test_all_commands_and_options_are_there() -> None:
    found = {command.name: command for command in commands()}
    assert {"check", "server", "rule", "explain", "reveal", "config", "completion"} <= set(found)
    names = {name for option in found["check"].options for name in option.names}
    assert {"--fix", "-q", "--quiet", "--no-cache", "--baseline", "--select"} <= names
    assert "--clientProcessId" not in {
        name for option in found["server"].options for name in option.names
    }


@pytest.mark.parametrize("shell", [pytest.param(shell, marks=needs(shell)) for shell in SHELLS])
def test_the_script_is_one_of_the_shell(run, write: Write, shell: str) -> None:
    path = write("script", run("completion", shell).out)
    done = subprocess.run([shell, "-n", str(path)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


CASES = [
    ("jaxref che", {"check"}),
    ("jaxref check --output-format ", set(OUTPUT_FORMATS)),
    ("jaxref check --output-format=js", {"json", "json-lines"}),
    ("jaxref check --color a", {"auto", "always"}),
    ("jaxref check --exit-n", {"--exit-non-zero-on-fix"}),
    ("jaxref check --ignore od", {"odd-rule"}),
    ("jaxref rule wor", {"worse-rule"}),
    ("jaxref completion ", set(SHELLS)),
    ("jaxref server --tc", {"--tcp"}),
]


@needs("bash")
@pytest.mark.parametrize(
    ("line", "expected"), [*CASES, ("jaxref check --ignore bad-rule,od", {"bad-rule,odd-rule"})]
)
def test_bash(run, write: Write, line: str, expected: set[str]) -> None:
    script = write("script", run("completion", "bash").out)
    words = shlex.split(line.replace("=", " = ")) + ([""] if line.endswith(" ") else [])
    command = (
        f"source {shlex.quote(str(script))}; COMP_WORDS=({shlex.join(words)});"
        f' COMP_CWORD={len(words) - 1}; _jaxref 2>/dev/null; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", command], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == expected


@needs("fish")
def test_fish(run, write: Write, tmp_path: Path) -> None:
    script = write("script", run("completion", "fish").out)
    lines = "".join(
        f"complete -C {shlex.quote(line)} | string split -f 1 \\t; echo ====\n" for line, _ in CASES
    )
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {shlex.quote(str(script))}\n{lines}"],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    answers = [set(answer.split()) for answer in done.stdout.split("====\n")]
    for (line, expected), answer in zip(CASES, answers, strict=False):
        plain = {word.removeprefix("--output-format=") for word in answer}
        assert plain == expected, line


@needs("zsh")
def test_zsh(run, write: Write, tmp_path: Path) -> None:
    """Each line is completed with a tab at a real prompt and then printed instead of run."""
    write("_jaxref", run("completion", "zsh").out)
    lines = {
        "jaxref che": "jaxref check",
        "jaxref check --output-format sar": "jaxref check --output-format sarif",
        "jaxref check --output-format=gitl": "jaxref check --output-format=gitlab",
        "jaxref check --exit-n": "jaxref check --exit-non-zero-on-fix",
        "jaxref check --select bad-rule,od": "jaxref check --select bad-rule,odd-rule",
        "jaxref rule wor": "jaxref rule worse-rule",
    }
    setup = (
        f"fpath=({shlex.quote(str(tmp_path))} $fpath); autoload -U compinit; compinit -u -D;"
        ' PS1=; jaxref() { print -r -- "<jaxref $*>" }; print ready\n'
    )
    reader, terminal = pty.openpty()
    with subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TERM": "dumb"},
        start_new_session=True,
    ) as process:
        os.close(terminal)
        os.write(reader, setup.encode())
        answer(reader, "\nready")
        for line, expected in lines.items():
            os.write(reader, f"{line}\t\n".encode())
            shown = answer(reader, ">\r\n")
            assert f"<{expected}>" in shown.replace(" >", ">"), shown
        process.kill()
    os.close(reader)


def answer(reader: int, end: str) -> str:
    """What comes from a terminal, up to `end`."""
    seen = ""
    deadline = time.monotonic() + 30
    while end not in seen and time.monotonic() < deadline:
        if select.select([reader], [], [], 1)[0]:
            seen += os.read(reader, 4096).decode(errors="replace")
    return seen
