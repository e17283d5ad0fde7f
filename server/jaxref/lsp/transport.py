"""Bytes in, bytes out: framing, standard input and output, TCP, and the client's death."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

logger = logging.getLogger(__name__)

_LARGEST_HEADER = 64 * 1024
_LARGEST_BODY = 1 << 30
"""No client sends more; one that announces more would be waited for without end."""
_PARENT_CHECK_SECONDS = 0.5


class FramingError(Exception):
    """A header without a usable `Content-Length`; what follows it is searched for the next one."""


class Framing:
    """Cuts a stream of bytes into message bodies.

    Header names may be written in any case, and lines may end without a carriage return.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._missing: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes | FramingError]:
        """The bodies completed by `data`, and an error in the place of each broken header."""
        self._buffer += data
        while True:
            if self._missing is None:
                # A body longer than announced by its line end is a common slip.
                del self._buffer[: len(self._buffer) - len(self._buffer.lstrip(b"\r\n"))]
                header = self._header()
                if header is None:
                    return
                length = _content_length(header)
                if length is None:
                    yield FramingError("a message header has no usable Content-Length")
                    continue
                self._missing = length
            if len(self._buffer) < self._missing:
                return
            body = bytes(self._buffer[: self._missing])
            del self._buffer[: self._missing]
            self._missing = None
            yield body

    def _header(self) -> bytes | None:
        ends = [
            (at, len(mark))
            for mark in (b"\r\n\r\n", b"\n\n")
            if (at := self._buffer.find(mark, 0, _LARGEST_HEADER)) >= 0
        ]
        if not ends:
            if len(self._buffer) < _LARGEST_HEADER:
                return None
            ends = [(_LARGEST_HEADER, 0)]
        at, size = min(ends)
        header = bytes(self._buffer[:at])
        del self._buffer[: at + size]
        return header


def _content_length(header: bytes) -> int | None:
    for line in header.splitlines():
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            digits = value.strip()
            # `int` refuses thousands of digits with an exception.
            size = int(digits) if digits.isdigit() and len(digits) < 20 else _LARGEST_BODY + 1
            return size if size <= _LARGEST_BODY else None
    return None


class StdioStream:
    """Standard input and output, each served by a daemon thread of its own.

    The threads use the descriptors directly: a thread blocked inside `sys.stdin.buffer` would hold
    its lock when the interpreter shuts down.
    """

    def __init__(self, source: int, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="jaxref-output", daemon=True)
        self._writer.start()

    def start_reading(self, received: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        """Call `received` and, once, `ended` on the running loop."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
                while data := _read(self._source):
                    loop.call_soon_threadsafe(received, data)
                loop.call_soon_threadsafe(ended)

        threading.Thread(target=read, name="jaxref-input", daemon=True).start()

    def write(self, data: bytes) -> None:
        """Queue bytes; a client that does not read delays nobody but itself."""
        if self._writer.is_alive():
            self._outgoing.put(data)

    def close(self) -> None:
        """Write what is queued, as far as the client still reads within two seconds."""
        self._outgoing.put(None)
        self._writer.join(timeout=2)

    def _write(self) -> None:
        while (data := self._outgoing.get()) is not None:
            try:
                self._sink.write(data)
                self._sink.flush()
            except (OSError, ValueError):
                logger.info("the client no longer reads")
                return


def protected_stdio() -> StdioStream:
    """The process's own standard streams, kept for the protocol alone.

    Afterwards whatever prints, in Python or below it, prints on standard error.
    """
    sys.stdout.flush()
    sink = os.fdopen(os.dup(1), "wb")
    source = os.dup(0)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout = sys.stderr
    return StdioStream(source, sink)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


async def until_dead(process: int) -> None:
    """Return once the process has ended."""
    while is_alive(process):
        await asyncio.sleep(_PARENT_CHECK_SECONDS)


def is_alive(process: int) -> bool:
    """Whether a process with this id runs; one that has ended but is not yet reaped does not."""
    if process <= 0:
        return False
    if os.name == "nt":
        return _is_alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OverflowError:
        return False
    except OSError:
        return True
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] != [b"Z"]
    except OSError:
        return True


def _is_alive_on_windows(process: int) -> bool:
    if sys.platform != "win32":
        return True
    import ctypes

    synchronize, timed_out = 0x00100000, 0x00000102
    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(synchronize, False, process)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
    finally:
        kernel.CloseHandle(handle)
