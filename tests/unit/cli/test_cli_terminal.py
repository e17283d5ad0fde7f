"""What is sent to a real terminal: colours, links, and lines that fit it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str | bytes], Path]

COLOUR = re.compile(r"\x1b\[[\d;]*m")
LINK = re.compile(r"\x1b\]8;;(.*?)\x1b\\")
RETURNED = "import jax\n\n\n@jax.jit\ndef f(x):\n    return jax.new_ref(x)\n\n\nf(1.0)\n"


def on_a_terminal(folder: Path, *arguments: str, columns: int = 80, **variables: str) -> str:
    """What a terminal of that width is sent."""
    reader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    taken_over = {
        name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ
    }
    with subprocess.Popen(
        [sys.executable, "-m", "jaxref", "check", "--no-cache", "--isolated", *arguments, "a.py"],
        cwd=folder,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**taken_over, "TERM": "xterm-256color", **variables},
    ) as process:
        os.close(terminal)
        said = b""
        while True:
            try:
                part = os.read(reader, 65536)
            except OSError:
                # That is how Linux says that nobody has the terminal open any more.
                break
            if not part:
                break
            said += part
        os.close(reader)
        assert process.wait(60) == 1
    return said.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("arguments", "variables", "coloured"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, True),
        ([], {"TERM": "dumb"}, False),
        ([], {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        (["--color", "never"], {}, False),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--output-format", "json"], {}, False),
        (["--output-format", "github"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colours(
    write: Write, tmp_path: Path, arguments: list[str], variables: dict[str, str], coloured: bool
) -> None:
    write("a.py", RETURNED)
    said = on_a_terminal(tmp_path, *arguments, **variables)
    assert "ref-returned" in said
    assert bool(COLOUR.search(said)) == coloured
    assert bool(LINK.search(said)) == coloured, "links where there is colour on a screen"


def test_rules_lead_to_their_pages(write: Write, tmp_path: Path) -> None:
    write("a.py", RETURNED)
    opened, closed = LINK.findall(on_a_terminal(tmp_path))
    assert (opened, closed) == ("https://jaxref.readthedocs.io/rules/ref-returned", "")


def test_messages_fit_a_narrow_terminal(write: Write, tmp_path: Path) -> None:
    write("a.py", RETURNED)
    said = on_a_terminal(tmp_path, "--quiet", columns=50)
    plain = LINK.sub("", COLOUR.sub("", said)).splitlines()
    head = plain[: next(index for index, line in enumerate(plain) if "-->" in line)]
    assert len(head) > 1
    assert max(map(len, head)) <= 50
    message = " ".join(line.strip() for line in head)
    concise = on_a_terminal(tmp_path, "--output-format", "concise", columns=50, NO_COLOR="1")
    assert message.partition(": ")[2] == concise.partition("] ")[2].strip()


def test_nothing_is_wrapped_where_no_screen_is(write: Write, tmp_path: Path) -> None:
    write("a.py", RETURNED)
    done = subprocess.run(
        [sys.executable, "-m", "jaxref", "check", "--no-cache", "--isolated", "a.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "50"},
    )
    assert len(done.stdout.splitlines()[0]) > 50
    assert not COLOUR.search(done.stdout)
