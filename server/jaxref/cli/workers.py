"""Files checked one after the other or by several processes, with the same outcome in the same order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from jaxref.cli.checking import Checked, check_content, load
from jaxref.cli.choices import Choices
from jaxref.quick_dataclasses import dataclass
from jaxref.source.reading import Unreadable
from jaxref.targets import Target


@dataclass(frozen=True, slots=True)
class Request:
    """What a process needs to know to check files as this run would."""

    overrides: Mapping[str, object]
    config: str | None
    isolated: bool
    suppressions: bool = True
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file. `failure` says why it was not checked, `trace` where that happened.

    `mistakes` are those of the settings that hold for it.
    """

    target: Target
    checked: Checked | None = None
    failure: str | None = None
    trace: str = ""
    mistakes: tuple[str, ...] = ()


def outcome_of(target: Target, choices: Choices, keep: bool = False) -> Outcome:
    """Check one file. Whatever goes wrong costs only this file."""
    try:
        loaded = load(target)
        settings = choices.of_file(target.path)
        checked = check_content(loaded, loaded.file.content, settings, target.shown, keep)
        return Outcome(target, checked)
    except Unreadable as error:
        return Outcome(target, failure=str(error))
    except Exception as error:
        return crash(target, error)


def crash(target: Target, error: Exception) -> Outcome:
    """The outcome for a file on which jaxref itself failed."""
    import traceback

    message = f"internal error, this file was not checked: {error!r}"
    return Outcome(target, failure=message, trace=traceback.format_exc())


WORTH_PROCESSES = 100
"""Files. Starting a process takes as long as checking dozens of small ones."""


def process_count(wanted: int | None, files: int) -> int:
    """How many processes to use when `wanted` are asked for, None for what fits."""
    if wanted is not None:
        return max(1, min(wanted, files))
    return min(8, os.cpu_count() or 1) if files >= WORTH_PROCESSES else 1


def outcomes(targets: Sequence[Target], request: Request, processes: int) -> Iterator[Outcome]:
    """The outcome for each of `targets`, in their order, by that many processes.

    A file on which a process dies is tried once more alone: it fails, the others do not.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    def pool(size: int) -> ProcessPoolExecutor:
        # Not by fork: this process has threads.
        return ProcessPoolExecutor(size, get_context("spawn"), _start, (request,))

    done = 0
    try:
        with pool(processes) as executor:
            chunk = max(1, min(16, len(targets) // (4 * processes)))
            for outcome in executor.map(_work, targets, chunksize=chunk):
                done += 1
                yield outcome
            return
    except BrokenProcessPool:
        pass
    for target in targets[done:]:
        try:
            with pool(1) as executor:
                outcome = executor.submit(_work, target).result()
        except BrokenProcessPool as error:
            outcome = crash(target, error)
        yield outcome


_choices: Choices
_keep: bool
_mistakes: list[str] = []


def _start(request: Request) -> None:
    """Make this process ready to work."""
    import signal

    global _choices, _keep
    # Ctrl-C reaches every process of the terminal; the one that started this one answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _keep = request.keep
    _choices = Choices(
        request.overrides,
        request.config,
        request.isolated,
        _mistakes.append,
        request.suppressions,
    )


def _work(target: Target) -> Outcome:
    from jaxref.cli.deep import on_big_stack
    from jaxref.quick_dataclasses import replace

    made: list[Outcome] = []

    def work() -> int:
        made.append(outcome_of(target, _choices, _keep))
        return 0

    on_big_stack(work)
    mistakes = tuple(_mistakes)
    _mistakes.clear()
    return replace(made[0], mistakes=mistakes)
