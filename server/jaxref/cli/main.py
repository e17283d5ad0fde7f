"""The command line. Every command imports what it needs when it runs, so that starting is quick."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence

from jaxref import __version__

TYPE_CHECKING = False
"""As in `typing`, the import of which takes as long as Python's start."""
if TYPE_CHECKING:
    import argparse
    from typing import NoReturn

BAD_REQUEST = 2
INTERRUPTED = 130

_YOUNG_OBJECTS = 40_000
"""After so many new objects Python looks for cycles, twenty times as many as it would of itself: what
imports and analyses make mostly stays, and looking at it took a twentieth of a check. A small file is
checked before there are so many."""


def run() -> NoReturn:
    """Run the command that `sys.argv` gives and end the process with its exit code."""
    collect_rarely()
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
        sys.stderr.flush()
    except (KeyboardInterrupt, OSError):
        code = INTERRUPTED
    # The thread of an interrupted analysis may still be at work, and taking the interpreter apart
    # takes longer than checking most files: end without either.
    os._exit(code)


def collect_rarely() -> None:
    """Let Python look for cycles less often: a check makes much and ends soon."""
    gc.set_threshold(_YOUNG_OBJECTS)


def main(arguments: Sequence[str]) -> int:
    """Run the command that `arguments` give. Returns the exit code."""
    # Closed by whoever started this: what is printed goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A path or a source line may hold what the terminal's encoding cannot show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        if list(arguments) in (["--version"], ["-V"]):
            print(f"jaxref {__version__}")
            sys.stdout.flush()
            return 0
        from jaxref.cli.plain import plain_options

        try:
            options = plain_options(arguments)
            if options is None:
                from jaxref.cli.options import parsed_options

                options = parsed_options(arguments)
            code = _command(options.command)(options)
        except SystemExit as ending:
            code = ending.code if isinstance(ending.code, int) else BAD_REQUEST
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        print(f"jaxref: error: {error.strerror or error}".lower(), file=sys.stderr)
        return BAD_REQUEST
    return code


def _discard_output() -> None:
    """Let what Python flushes once more at the end go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    match name:
        case "check":
            from jaxref.cli.check import check

            return check
        case "server":
            from jaxref.cli.server import server

            return server
        case "rule" | "explain":
            from jaxref.cli.rule import rule

            return rule
        case "reveal":
            from jaxref.cli.reveal import reveal

            return reveal
        case "config":
            from jaxref.cli.config import config

            return config
        case "completion":
            from jaxref.cli.completion import completion

            return completion
        case _:
            from jaxref.cli.version import version

            return version
