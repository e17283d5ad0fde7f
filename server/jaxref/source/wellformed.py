"""Whether a text is Python, told without the tree, which takes as long again to make."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_STOP = "from __future__ import _\n"
"""Looking for the names ends here, right after all of the text was parsed."""
_REASON = "future feature _ is not defined"
_LONGEST = 20_000
"""Characters without an empty line. What nests too deeply for a tree has twice as many."""


_WARNINGS = threading.Lock()
"""`catch_warnings` swaps a list of the whole process: two threads must not interleave it."""


@contextmanager
def silenced() -> Iterator[None]:
    """Let Python's parser say nothing about what is questionable in a text."""
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def is_surely_python(text: str) -> bool:
    """True only where `parse` finds no error; False where that takes the tree to tell."""
    if "\0" in text or max(map(len, text.split("\n\n"))) > _LONGEST:
        return False
    from symtable import symtable

    try:
        with silenced():
            symtable(_STOP + text, "<text>", "exec")
    except SyntaxError as error:
        return error.msg == _REASON
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return False
