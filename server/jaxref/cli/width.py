"""How wide the terminal is."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def terminal_width(otherwise: int) -> int:
    """Columns of the terminal, of COLUMNS where that is set; `otherwise` where there is no terminal.

    As in `shutil`, which takes longer to import than most of this package.
    """
    try:
        columns = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        columns = 0
    if columns <= 0:
        with suppress(OSError, ValueError, AttributeError):
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return columns if columns > 0 else otherwise
