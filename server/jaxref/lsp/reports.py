"""What goes wrong inside the server: always to the log, to the user once for each cause."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

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
        logger.error("internal error while %s", doing, exc_info=error)
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        self._once(
            f"{type(error).__name__} {place}",
            f"jaxref: internal error while {doing} ({type(error).__name__}), see {self._where}",
        )

    def internal_failure(self, doing: str, failure: str) -> None:
        """Log what failed without stopping the rest; tell the user of each such failure once."""
        logger.error("failure while %s: %s", doing, failure)
        self._once(failure, f"jaxref: part of an analysis failed, see {self._where}")

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
