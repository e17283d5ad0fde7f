"""Findings of files that are not open: found on disk, analysed in the background, kept while true."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from lsprotocol import types

from jaxref.engine import Analysis, AnalysisCancelled
from jaxref.lsp.analyses import Analyse, Cancel, as_meant_in
from jaxref.lsp.configuration import Configuration, Held, Reading
from jaxref.lsp.documents import Documents, Module, closed_module
from jaxref.lsp.features import Features
from jaxref.lsp.findings import converted, result_id
from jaxref.lsp.uris import uri_of
from jaxref.lsp.worker import Worker
from jaxref.quick_dataclasses import dataclass, replace
from jaxref.resolve.files import LARGEST_SOURCE, Stamp, read_bytes, stamp_of
from jaxref.settings import Settings
from jaxref.source.documents import kind_of
from jaxref.source.reading import Unreadable, decode_source
from jaxref.targets import targets

logger = logging.getLogger(__name__)

T = TypeVar("T")

_SLICE_SECONDS = 0.05
"""How long the walk over folders goes on before it makes room."""
_ANSWERS_SECONDS = 10.0
"""How long answers about types are waited for before the next file is looked at."""
_LARGEST_NOTEBOOK = 16 * LARGEST_SOURCE
"""Notebooks carry their pictures along."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in one file; `items` are the diagnostics as they are sent."""

    uri: str
    items: list[types.Diagnostic]
    result_id: str
    held: Held
    stamp: Stamp | None
    reads: frozenset[str]
    missing: frozenset[str]

    def rests_on(self, paths: frozenset[str], listing_changed: bool) -> bool:
        """Whether a change of these files can change the result, or that some have come or gone."""
        if not self.reads.isdisjoint(paths):
            return True
        if not listing_changed or not self.missing:
            return False
        if not self.missing.isdisjoint(paths):
            return True
        packages = {os.path.dirname(path) for path in self.missing if _is_init(path)}
        return any(not packages.isdisjoint(_folders_above(path)) for path in paths)


class ClosedFiles:
    """Looks at the files of folders, one after the other. All methods run on the loop.

    `late` is told when another look at a file would find more; `failed` of every analysis that
    raised.
    """

    def __init__(
        self,
        documents: Documents,
        configuration: Configuration,
        worker: Worker,
        analyse: Analyse,
        *,
        late: Callable[[str], None],
        failed: Callable[[str, BaseException], None],
    ) -> None:
        self.features = Features()
        self._documents = documents
        self._configuration = configuration
        self._worker = worker
        self._analyse = analyse
        self._late = late
        self._failed = failed
        self._looked: dict[str, Looked] = {}
        self._walked: dict[tuple[str, ...], list[str]] = {}
        """What the walks found that are still true."""
        self._changes = 0
        """How often walks were forgotten."""
        self._last: dict[tuple[str, ...], list[str]] = {}
        self._stamps: dict[str, Stamp | None] = {}
        self._looking: list[set[str]] = []
        """For each look that is under way the files that have changed meanwhile."""

    async def paths(self, folders: Sequence[str], stopped: Callable[[], bool]) -> list[str]:
        """The files in these folders, as the walk of the command line finds them; none once `stopped`.

        What earlier looks found is forgotten where the walk shows that files have changed.
        """
        key = tuple(folders)
        while (known := self._walked.get(key)) is None:
            changes = self._changes
            walk = _stamped(folders, self._configuration.reading)
            found: dict[str, Stamp | None] = {}
            while not await self._in_background(partial(_more, walk, found)):
                if stopped():
                    return []
            # One that something has changed under is repeated.
            if changes == self._changes:
                self._take(key, found)
        return known

    def _take(self, key: tuple[str, ...], found: Mapping[str, Stamp | None]) -> None:
        """Take in what a walk has found."""
        self._configuration.tell_problems()
        before = self._last.get(key)
        if before is not None:
            every = {*before, *found}
            self.forget(
                [path for path in every if self._stamps.get(path) != found.get(path)],
                listing_changed=True,
            )
        self._stamps.update(found)
        self._walked[key] = self._last[key] = list(found)

    def is_open(self, path: str) -> bool:
        """Whether the client has the file open, so that its text counts and not the disk's."""
        return self._documents.uri_of_path(path) is not None

    async def look(self, path: str) -> Looked | None:
        """What stands in the file now; None for one that is open or cannot be read."""
        while not self.is_open(path):
            held = self._configuration.reading.of(path)
            known = self._looked.get(path)
            if known is not None and known.held == held:
                return known
            changed: set[str] = set()
            self._looking.append(changed)
            try:
                looked = await self._looked_at(path, held)
            finally:
                self._looking.remove(changed)
            if looked is not None and looked.rests_on(frozenset(changed), listing_changed=True):
                continue
            if looked is None:
                self._looked.pop(path, None)
            else:
                self._looked[path] = looked
                self._stamps[path] = looked.stamp
            return looked
        return None

    def forget(self, paths: Iterable[str], *, listing_changed: bool = False) -> bool:
        """Files have changed, or some have come or gone; whether something that was found rests on
        them.
        """
        gone = frozenset(paths)
        for changed in self._looking:
            changed |= gone
        outdated = [
            path for path, looked in self._looked.items() if looked.rests_on(gone, listing_changed)
        ]
        for path in outdated:
            del self._looked[path]
        return bool(outdated)

    def forget_walks(self) -> None:
        """Walk anew: the settings have changed, or nobody says which files have come."""
        self._changes += 1
        self._walked.clear()

    def forget_everything(self) -> None:
        """Look at everything anew."""
        self.forget_walks()
        self._looked.clear()
        for changed in self._looking:
            changed.update(self._stamps)

    async def _looked_at(self, path: str, held: Held) -> Looked | None:
        overlay = self._documents.overlay()
        loop = asyncio.get_running_loop()
        answered = asyncio.Event()

        def told_late() -> None:
            if answered.is_set():
                self._late(path)
            answered.set()

        def late() -> None:
            try:
                loop.call_soon_threadsafe(told_late)
            except RuntimeError:
                logger.debug("an answer came after the server had ended")

        def run(cancel: Cancel) -> tuple[Module, Analysis, Stamp] | None:
            kind = kind_of(path) or "module"
            read = read_bytes(path, _LARGEST_NOTEBOOK if kind == "notebook" else LARGEST_SOURCE)
            if read is None:
                return None
            try:
                content = decode_source(read[0], declared=kind == "module").content
                module = closed_module(path, content, kind, overlay)
            except Unreadable as error:
                logger.info("%s %s", path, error)
                return None
            snapshot = replace(module.snapshot, when_late=late)
            analysis = self._analyse(snapshot, held.settings, cancel)
            return module, as_meant_in(module, analysis, held.settings), read[1]

        try:
            done = await self._in_background(run)
            if done is not None and not done[1].settled:
                # One file's questions at a time: those of open files wait behind them.
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(answered.wait(), _ANSWERS_SECONDS)
                    done = await self._in_background(run)
            answered.set()
        except Exception as error:
            self._failed(path, error)
            none: frozenset[str] = frozenset()
            return Looked(uri_of(path), [], "", held, self._stamps.get(path), none, none)
        if done is None:
            return None
        module, analysis, stamp = done
        items = converted(module, analysis, self.features, self._documents.uri_of_path)[module.uri]
        reads = analysis.dependencies | {path}
        return Looked(module.uri, items, result_id(items), held, stamp, reads, analysis.missing)

    async def _in_background(self, run: Callable[[Cancel], T]) -> T:
        """The result of `run`, which begins anew whenever it has made room for others."""
        while True:
            job = self._worker.submit(
                lambda cancel: run(lambda: cancel() or self._worker.is_needed()),
                urgent=False,
                background=True,
            )
            try:
                return await asyncio.shield(job.future)
            except AnalysisCancelled:
                continue
            finally:
                job.cancel()


def _stamped(folders: Sequence[str], reading: Reading) -> Iterator[tuple[str, Stamp | None]]:
    def settings_of(folder: str) -> Settings:
        return reading.of_folder(folder).settings

    for target in targets(folders, settings_of, lambda path, problem: None):
        yield target.path, stamp_of(target.path)


def _more(
    walk: Iterator[tuple[str, Stamp | None]], found: dict[str, Stamp | None], cancel: Cancel
) -> bool:
    """Go on with a walk for a while; whether it is at its end."""
    until = time.monotonic() + _SLICE_SECONDS
    for path, stamp in walk:
        found[path] = stamp
        if cancel() or time.monotonic() > until:
            return False
    return True


def _is_init(path: str) -> bool:
    return os.path.basename(path) == "__init__.py"


def _folders_above(path: str) -> Iterator[str]:
    while True:
        above = os.path.dirname(path)
        if above == path:
            return
        yield above
        path = above
