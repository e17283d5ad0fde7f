"""Ctrl-C: the work ends at the next opportunity, and a file that is being written is finished."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

_asked = threading.Event()
_writing = threading.Lock()
_LONGEST_WRITE = 10.0
"""Seconds; a disk that takes longer does not answer any more."""


def stop() -> None:
    """Let all work end, and wait until a write that has begun is done. None begins afterwards."""
    _asked.set()
    if _writing.acquire(timeout=_LONGEST_WRITE):
        _writing.release()


def go_on() -> None:
    """To be called between two pieces of work. Raises `KeyboardInterrupt` after `stop`."""
    if _asked.is_set():
        raise KeyboardInterrupt


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """Around the writing of a file."""
    with _writing:
        go_on()
        yield
