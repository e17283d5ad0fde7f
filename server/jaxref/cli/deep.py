"""Running code that recurses deeply: on a thread of its own with a big stack."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

_STACK_SIZES = (512 << 20, 128 << 20, 64 << 20, 16 << 20)
"""Bytes, the most wanted first. Only what is used is taken from memory."""

_RECURSION_LIMIT = 20_000

_PATIENCE = 2.0
"""Seconds for work that was asked to end. Most files take a few hundredths of one."""


def on_big_stack(work: Callable[[], int], interrupted: Callable[[], None] | None = None) -> int:
    """The result of `work`, run on a thread with a big stack. What it raises is raised here.

    Ctrl-C raises `KeyboardInterrupt` here. `interrupted` is then called to make `work` end, which is
    waited for a moment; after that, and without it, the thread is left behind.
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
    except KeyboardInterrupt:
        if interrupted is not None:
            deadline = time.monotonic() + _PATIENCE
            while thread.is_alive() and time.monotonic() < deadline:
                # Again, for what was only about to begin.
                interrupted()
                thread.join(0.05)
            # Their traces hold what is to be given back to the system: queues between processes.
            failure.clear()
        raise
    finally:
        sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return outcome[0]
