"""`jaxref check --watch`: checking again whenever a file changed."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator

from jaxref.cli.choices import Choices, complain, kinds_of, overrides_of
from jaxref.targets import targets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def watch(options: argparse.Namespace, check: Callable[[], frozenset[str]]) -> NoReturn:
    """Check whenever something has changed, until Ctrl-C: one of the files, their settings, the
    baseline, or one of the other paths that the results rest on, which `check` returns."""
    seen: tuple[_Stamps, _Stamps] | None = None
    others: frozenset[str] = frozenset()
    while True:
        started = time.monotonic()
        files, further = _stamps(_watched(options)), _stamps(others)
        if (files, further) != seen:
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
            others = check()
            # What changed while it was checked was seen in time only where it was known before.
            known = {path: stamp for path, stamp in further.items() if path in others}
            seen = files, _stamps(others) | known
            complain("watching for changes, Ctrl-C ends")
            sys.stdout.flush()
            started = time.monotonic()
        time.sleep(max(_POLL_SECONDS, _POLL_SHARE * (time.monotonic() - started)))


_POLL_SECONDS = 0.5
_POLL_SHARE = 4
"""Looking at tens of thousands of files takes long: at least so many times as long is waited."""


_Stamps = dict[str, tuple[int, int]]


def _stamps(paths: Iterable[str]) -> _Stamps:
    """When each of the files was changed, and its size. One that is gone is not among them."""
    stamps = {}
    for path in paths:
        if path not in stamps:
            try:
                status = os.stat(path)
            except OSError:
                continue
            stamps[path] = (status.st_mtime_ns, status.st_size)
    return stamps


def _watched(options: argparse.Namespace) -> Iterator[str]:
    choices = Choices(
        overrides_of(options), options.config, options.isolated, report=lambda line: None
    )
    if options.baseline is not None:
        yield os.path.abspath(options.baseline)
    found = targets(
        options.paths or ["."],
        choices.of_folder,
        lambda path, why: None,
        options.force_exclude,
        kinds_of(options),
    )
    for target in found:
        yield target.path
        source = choices.of_folder(os.path.dirname(target.path)).source
        if source is not None:
            yield source
