"""What failed inside jaxref, told so that a report helps and no source text is in it."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_CALLS_IN_A_LINE = 6
_CALLS_IN_FULL = 40


def failure(doing: str, error: BaseException) -> str:
    """What failed, in one line. What the exception says is logged at the level `debug` only."""
    import logging

    logging.getLogger(__name__).debug("%s failed", doing, exc_info=error)
    return f"{doing} failed: {in_one_line(error)}"


def in_one_line(error: BaseException) -> str:
    """The exception's class, and where it was raised: that place and its callers.

    What the exception says is left out, since it may quote the source.
    """
    import traceback

    frames = traceback.extract_tb(error.__traceback__, -_CALLS_IN_A_LINE)
    places = [f"{_short(frame.filename)}:{frame.lineno}" for frame in reversed(frames)]
    return f"{type(error).__name__} at {' < '.join(places) or 'no place'}"


def in_full(error: BaseException) -> str:
    """The tracebacks of the exception and of those that led to it, without what they say."""
    import traceback

    chain: list[BaseException] = []
    step: BaseException | None = error
    while step is not None and step not in chain:
        chain.append(step)
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
    parts = []
    for one in reversed(chain):
        calls = "".join(traceback.format_tb(one.__traceback__, -_CALLS_IN_FULL))
        parts.append(f"Traceback (most recent call last):\n{calls}{type(one).__qualname__}")
    return "\n\n".join(parts)


def _short(file: str) -> str:
    if file.startswith(_PACKAGE):
        return file.removeprefix(_PACKAGE).replace(os.sep, "/")
    return "/".join(file.replace(os.sep, "/").split("/")[-2:])
