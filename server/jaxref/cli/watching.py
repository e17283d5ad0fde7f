"""`jaxref check --watch`: checking again whenever a file changed."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from typing import NoReturn

from jaxref.cli.choices import Choices, complain, overrides_of
from jaxref.targets import targets


def watch(options: argparse.Namespace, check: Callable[[], int]) -> NoReturn:
    """Check whenever one of the files or their settings changed, until Ctrl-C."""
    seen: dict[str, tuple[int, int]] | None = None
    while True:
        now = _stamps(options)
        if now != seen:
            seen = now
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
            check()
            complain("watching for changes, Ctrl-C ends")
            sys.stdout.flush()
        time.sleep(_POLL_SECONDS)


_POLL_SECONDS = 0.5


def _stamps(options: argparse.Namespace) -> dict[str, tuple[int, int]]:
    choices = Choices(
        overrides_of(options), options.config, options.isolated, report=lambda line: None
    )
    found = targets(options.paths or ["."], choices.of_folder, lambda path, why: None)
    stamps = {}
    for target in found:
        settings = choices.of_folder(os.path.dirname(target.path))
        for path in (target.path, settings.source):
            if path is not None and path not in stamps:
                try:
                    status = os.stat(path)
                except OSError:
                    continue
                stamps[path] = (status.st_mtime_ns, status.st_size)
    return stamps
