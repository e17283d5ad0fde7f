"""What goes wrong inside the server: always to the log, to the user once for each cause.

What exceptions say may quote the source: it is logged at the level `debug` only.
"""

from __future__ import annotations

import logging
import platform
from collections.abc import Callable

import jaxref
from jaxref.diagnostics.failures import in_full, in_one_line
from jaxref.lsp.information import system

logger = logging.getLogger(__name__)


class Reports:
    """`show` sends one line to the user; `where` tells them in which log the rest stands."""

    def __init__(self, show: Callable[[str], None], where: str) -> None:
        self._show = show
        self._where = where
        self._told: set[str] = set()
        self._latest: BaseException | None = None

    def internal_error(self, doing: str, error: BaseException) -> None:
        """Log `error` with its traceback; tell the user unless this cause was told before.

        One that goes through several hands is logged by the first.
        """
        if error is self._latest:
            return
        self._latest = error
        logger.error("internal error while %s (%s)\n%s", doing, _versions(), in_full(error))
        logger.debug("in the words of the exception", exc_info=error)
        self._once(
            in_one_line(error),
            f"jaxref: internal error while {doing} ({type(error).__name__}), see {self._where}",
        )

    def internal_failure(self, doing: str, failure: str) -> None:
        """Log what failed without stopping the rest; tell the user of the first such failure."""
        logger.error("failure while %s (%s): %s", doing, _versions(), failure)
        line = f"jaxref: part of an analysis failed, see {self._where}"
        self._once(line, line)

    def bad_message(self, problem: str, detail: str = "") -> None:
        """Log a message of the client that makes no sense; tell the user of each problem once."""
        logger.error("%s%s", problem, f": {detail}" if detail else "")
        self._once(problem, f"jaxref: {problem}, see {self._where}")

    def setting(self, problem: str) -> None:
        """Log a mistake in the settings; tell the user once."""
        logger.warning("%s", problem)
        self._once(problem, f"jaxref: {problem}")

    def _once(self, cause: str, line: str) -> None:
        if cause not in self._told:
            self._told.add(cause)
            self._show(line)


def _versions() -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"jaxref {jaxref.__version__}, {python}, {system()}"
