"""The one thread on which everything that analyses runs.

Analysing recurses as deep as the user's code nests, so the thread has a big stack; it is a daemon,
so a run that cannot be stopped does not keep the process alive.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")

_BACKGROUND = 2
_STACK_SIZES = (512 << 20, 256 << 20, 64 << 20)


class Superseded(Exception):
    """What was asked for is no longer wanted: the text has changed, or nobody waits any more."""


class Job(Generic[T]):
    """Something to be run on the worker's thread, and the future of what it returns."""

    def __init__(self, run: Callable[[Callable[[], bool]], T], future: asyncio.Future[T]) -> None:
        self.future = future
        self._run = run
        self._begun = False
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Give up, on the loop: a waiting job never starts, a running one learns when it asks.

        The future ends with `Superseded`.
        """
        self._cancelled.set()
        if not self.future.done():
            self.future.set_exception(Superseded())
            # Asking for it tells asyncio that an exception nobody awaits is not a mistake.
            self.future.exception()

    def is_cancelled(self) -> bool:
        """Whether the result is no longer wanted; safe to ask from any thread."""
        return self._cancelled.is_set()

    def perform(self, loop: asyncio.AbstractEventLoop) -> None:
        """Run, on the worker's thread and only once, and hand the outcome to the loop."""
        if self._begun or self.is_cancelled():
            return
        self._begun = True
        try:
            # Not a method of the job, which the result would keep, and the job its result.
            result = self._run(self._cancelled.is_set)
        except BaseException as error:
            if isinstance(error, StopIteration) or not isinstance(error, Exception):
                # A future cannot carry the one, and the others would end the loop.
                error = RuntimeError(f"{type(error).__name__} raised while analysing")
            _hand_over(loop, self._fail, error)
        else:
            _hand_over(loop, self._succeed, result)

    def _succeed(self, result: T) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def _fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class Worker:
    """Runs jobs one at a time: those that somebody waits for, then those that nobody does, then
    those in the background, which make room as soon as there are others."""

    def __init__(self) -> None:
        self._waiting: queue.PriorityQueue[tuple[int, int, Job[Any] | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def submit(
        self, run: Callable[[Callable[[], bool]], T], *, urgent: bool, background: bool = False
    ) -> Job[T]:
        """Queue `run`, which gets the callable that tells it to give up. Call on the loop."""
        loop = asyncio.get_running_loop()
        if self._thread is None:
            self._thread = _started(lambda: self._serve(loop))
        job = Job(run, loop.create_future())
        order = _BACKGROUND if background else 0 if urgent else 1
        self._waiting.put((order, next(self._numbers), job))
        return job

    def is_needed(self) -> bool:
        """Whether a job in the background should make room; safe to ask from any thread."""
        first = self._waiting.queue[:1]
        return bool(first) and first[0][0] < _BACKGROUND

    def hurry(self, job: Job[Any]) -> None:
        """Move a waiting job to those that somebody waits for."""
        self._waiting.put((0, next(self._numbers), job))

    def stop(self) -> None:
        """Let the thread end once the job it is at returns."""
        if self._thread is not None:
            self._waiting.put((-1, next(self._numbers), None))

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            job = self._waiting.get()[2]
            if job is None:
                return
            job.perform(loop)


def _hand_over(
    loop: asyncio.AbstractEventLoop, settle: Callable[[Any], None], outcome: object
) -> None:
    try:
        loop.call_soon_threadsafe(settle, outcome)
    except RuntimeError:
        logger.debug("a result came after the server had ended")


def _started(target: Callable[[], None]) -> threading.Thread:
    before = threading.stack_size()
    try:
        for size in _STACK_SIZES:
            thread = threading.Thread(target=target, name="jaxref-analysis", daemon=True)
            try:
                threading.stack_size(size)
                thread.start()
            except (ValueError, RuntimeError):
                logger.debug("no thread with a stack of %d MB", size >> 20)
            else:
                return thread
    finally:
        threading.stack_size(before)
    thread = threading.Thread(target=target, name="jaxref-analysis", daemon=True)
    thread.start()
    return thread
