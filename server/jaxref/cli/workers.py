"""Files checked one after the other or by several processes, with the same outcome in the same order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from jaxref.cli import stopping
from jaxref.cli.choices import Choices
from jaxref.cli.loading import Checked, load
from jaxref.quick_dataclasses import dataclass
from jaxref.source.reading import Unreadable
from jaxref.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


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
    # It brings in the analyser, without which what is known from before is told.
    from jaxref.cli.checking import check_content

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


def stop() -> None:
    """Let `outcomes` and whatever else is at work end, as after Ctrl-C."""
    import sys

    stopping.stop()
    # Not yet there, or in part, while it is being imported.
    children = getattr(sys.modules.get("multiprocessing"), "active_children", list)
    for child in children():
        child.terminate()


def outcomes(targets: Sequence[Target], request: Request, processes: int) -> Iterator[Outcome]:
    """The outcome for each of `targets`, in their order, by that many processes.

    A file on which a process dies is tried once more alone: it fails, the others do not. After `stop`
    it raises `KeyboardInterrupt`.
    """
    from concurrent.futures.process import BrokenProcessPool

    size = max(1, min(_LARGEST_CHUNK, len(targets) // (4 * processes)))
    chunks = [targets[at : at + size] for at in range(0, len(targets), size)]
    done = 0
    while done < len(chunks):
        try:
            with _pool(processes, request) as pool:
                _keep_interrupts_from_children()
                for made in pool.map(_work, chunks[done:]):
                    done += 1
                    yield from made
        except BrokenProcessPool:
            stopping.go_on()
            for target in chunks[done]:
                yield _alone(target, request)
            done += 1


_LARGEST_CHUNK = 32
"""Files that a process is given at once. Most take less time than the giving."""


def _pool(size: int, request: Request) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Not by fork: this process has threads.
    return ProcessPoolExecutor(size, get_context("spawn"), _start, (request,))


def _keep_interrupts_from_children() -> None:
    """To be called when a pool was made (which undoes it) and before its processes start.

    Ctrl-C reaches every process of the terminal, and only the one that started the others answers it.
    They begin with what is blocked here, so it cannot reach them while they start.
    """
    import signal

    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _alone(target: Target, request: Request) -> Outcome:
    """The outcome by a process of its own; when that dies, it is a failure of this file."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        with _pool(1, request) as pool:
            _keep_interrupts_from_children()
            (outcome,) = pool.submit(_work, [target]).result()
    except BrokenProcessPool as error:
        stopping.go_on()
        return crash(target, error)
    return outcome


_choices: Choices
_keep: bool
_mistakes: list[str] = []


def _start(request: Request) -> None:
    """Make this process ready to work."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    from jaxref.cli.main import collect_rarely
    from jaxref.resolve.files import LookingOnce

    global _choices, _keep
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    LookingOnce().__enter__()
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    _keep = request.keep
    _choices = Choices(
        request.overrides,
        request.config,
        request.isolated,
        _mistakes.append,
        request.suppressions,
    )


def _end_with(parent: int) -> None:
    """End this process when the one that started it is gone, which else it would never notice."""
    from multiprocessing.connection import wait

    wait([parent])
    os._exit(1)


def _work(chunk: Sequence[Target]) -> list[Outcome]:
    from jaxref.cli.deep import on_big_stack
    from jaxref.quick_dataclasses import replace

    made: list[Outcome] = []

    def work() -> int:
        for target in chunk:
            outcome = outcome_of(target, _choices, _keep)
            made.append(replace(outcome, mistakes=tuple(_mistakes)))
            _mistakes.clear()
        return 0

    on_big_stack(work)
    return made
