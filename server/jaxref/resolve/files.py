"""Reading of files that other people wrote: only regular ones, only of bearable size, never blocking."""

from __future__ import annotations

import os
import stat
import time

from jaxref.quick_dataclasses import NamedTuple
from jaxref.source.reading import Unreadable, decode_source

LARGEST_SOURCE = 4 * 1024 * 1024
"""Bytes; a longer module is generated code or data, and is treated as absent."""

_RACY_NS = 2_000_000_000
"""A file changed this recently can change again without a new time stamp (FAT counts in 2 s)."""


class Stamp(NamedTuple):
    """What tells one content of a file from the next without reading it."""

    mtime_ns: int
    size: int
    inode: int


def stamp_of(path: str) -> Stamp | None:
    """The present stamp of a file, None where there is none. Never raises."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return _stamp(status)


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def can_change_unseen(stamp: Stamp) -> bool:
    """Whether a file can have another content soon and still this stamp."""
    return time.time_ns() - stamp.mtime_ns <= _RACY_NS


_known: dict[str, int] | None = None
"""The types of the paths that were looked at, 0 for nothing; None where each look is a new one."""


class LookingOnce:
    """While it is entered, a path is looked at once, and is taken for what it was then.

    For runs that check many files as they find them: each asks for much the same paths.
    """

    def __enter__(self) -> None:
        global _known
        self._before, _known = _known, {}

    def __exit__(self, *_: object) -> None:
        global _known
        _known = self._before


def exists(path: str) -> bool:
    """True for anything, and for a symbolic link to anything. Never raises."""
    return _type_of(path) != 0


def is_regular_file(path: str) -> bool:
    """True for a regular file, or a symbolic link that ends at one. Never raises."""
    return _type_of(path) == stat.S_IFREG


def is_folder(path: str) -> bool:
    """True for a folder, or a symbolic link that ends at one. Never raises."""
    return _type_of(path) == stat.S_IFDIR


def _type_of(path: str) -> int:
    known = _known
    found = None if known is None else known.get(path)
    if found is None:
        try:
            found = stat.S_IFMT(os.stat(path).st_mode)
        except (OSError, ValueError):
            found = 0
        if known is not None:
            known[path] = found
    return found


def read_bytes(path: str, limit: int = LARGEST_SOURCE) -> tuple[bytes, Stamp] | None:
    """The content of a regular file of at most `limit` bytes, and its stamp; else None.

    Fifos and devices are refused after opening without blocking, so that a file exchanged between
    a look and the opening cannot hold the reader either.
    """
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        with open(descriptor, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
                return None
            content = stream.read(limit + 1)
    except OSError:
        return None
    if len(content) > limit:
        return None
    return content, _stamp(status)


def source_text(content: bytes) -> str | None:
    """The text of a Python source as PEP 263 reads it, line ends untouched; None if undecodable."""
    try:
        return decode_source(content).content
    except Unreadable:
        return None


class SourceCache:
    """Texts of source files, kept until the file's time stamp, size or inode changes.

    At most `capacity` texts are kept; the one read first goes first.
    """

    def __init__(self, capacity: int = 2048) -> None:
        self._capacity = capacity
        self._kept: dict[str, tuple[Stamp, str | None]] = {}

    def text(self, path: str) -> str | None:
        """The present text of the file, None when it cannot be read as Python source."""
        kept = self._kept.get(path)
        if kept is not None:
            now = stamp_of(path)
            if now is None:
                self._kept.pop(path, None)
                return None
            if kept[0] == now:
                return kept[1]
        found = read_bytes(path)
        if found is None:
            self._kept.pop(path, None)
            return None
        content, stamp = found
        text = source_text(content)
        if not can_change_unseen(stamp):
            while len(self._kept) >= self._capacity:
                self._kept.pop(next(iter(self._kept)), None)
            self._kept[path] = (stamp, text)
        return text
