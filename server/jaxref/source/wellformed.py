"""Whether a text is Python, told without the tree, which takes as long again to make."""

from __future__ import annotations

import warnings

_STOP = "from __future__ import _\n"
"""Looking for the names ends here, right after all of the text was parsed."""
_REASON = "future feature _ is not defined"
_LONGEST = 20_000
"""Characters without an empty line. What nests too deeply for a tree has twice as many."""


def is_surely_python(text: str) -> bool:
    """True only where `parse` finds no error; False where that takes the tree to tell.

    Not for several threads at once: warnings are silenced for the whole process meanwhile.
    """
    if "\0" in text or max(map(len, text.split("\n\n"))) > _LONGEST:
        return False
    from symtable import symtable

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            symtable(_STOP + text, "<text>", "exec")
    except SyntaxError as error:
        return error.msg == _REASON
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return False
