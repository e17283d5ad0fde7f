"""Running code that recurses deeply: on a thread of its own with a big stack."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

_STACK_SIZES = (512 << 20, 128 << 20, 64 << 20, 16 << 20)
"""Bytes, the most wanted first. Only what is used is taken from memory."""

_RECURSION_LIMIT = 20_000


def on_big_stack(work: Callable[[], int]) -> int:
    """The result of `work`, run on a thread with a big stack. What it raises is raised here.

    Ctrl-C raises `KeyboardInterrupt` here at once; the thread is then left behind.
    """
    outcome: list[int] = []
    failure: list[BaseException] = []

    def body() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    before = threading.stack_size()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    thread = threading.Thread(target=body, name="jaxref-check", daemon=True)
    for size in _STACK_SIZES:
        try:
            threading.stack_size(size)
            thread.start()
            break
        except (ValueError, RuntimeError):
            thread = threading.Thread(target=body, name="jaxref-check", daemon=True)
    threading.stack_size(before)
    if thread.ident is None:
        sys.setrecursionlimit(limit)
        return work()
    try:
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return outcome[0]
