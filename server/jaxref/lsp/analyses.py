"""The analyses of the open modules: at most one under way for each, only the newest one answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from jaxref.diagnostics.meant import as_meant
from jaxref.engine import Analysis, Snapshot
from jaxref.lsp.documents import Documents, Module
from jaxref.lsp.worker import Job, Superseded, Worker
from jaxref.quick_dataclasses import dataclass, replace
from jaxref.settings import Settings

if TYPE_CHECKING:
    from jaxref.reuse import Kept

logger = logging.getLogger(__name__)

T = TypeVar("T")

Cancel = Callable[[], bool]
Analyse = Callable[[Snapshot, Settings, Cancel], Analysis]

_asked_at: ContextVar[int | None] = ContextVar("asked_at", default=None)


@dataclass(slots=True)
class _Run:
    module: Module
    job: Job[Analysis]
    waiters: int = 0


def as_meant_in(module: Module, analysis: Analysis, settings: Settings) -> Analysis:
    """The analysis with mere hints where the code is meant to fail, or nothing without hints."""
    meant = [as_meant(one, module.is_meant_to_fail(one.span)) for one in analysis.diagnostics]
    if not settings.hints:
        meant = [one for one in meant if one.severity != "hint"]
    return replace(analysis, diagnostics=tuple(meant))


class Analyses:
    """Answers with the analysis of a module as it is now, made on the worker's thread.

    `settings_of` gives the settings of a module, `excludes` says whether nothing is to be reported
    of it; `ready` is awaited before the first
    analysis; `late` is told when a further analysis of a module would know more; `failed` is told of every
    analysis that raised, once, and `failed_inside`, in one line, of what failed in one that stands. All
    methods run on the loop.
    """

    def __init__(
        self,
        documents: Documents,
        worker: Worker,
        analyse: Analyse,
        *,
        settings_of: Callable[[Module], Settings],
        excludes: Callable[[Module], bool],
        ready: Callable[[], Awaitable[None]],
        late: Callable[[Module], None],
        failed: Callable[[Module, BaseException], None],
        failed_inside: Callable[[Module, str], None],
        finished: Callable[[Module, Analysis, float], None],
    ) -> None:
        self._documents = documents
        self._worker = worker
        self._analyse = analyse
        self._settings_of = settings_of
        self._excludes = excludes
        self._ready = ready
        self._late = late
        self._failed = failed
        self.failed_inside = failed_inside
        self._finished = finished
        self._runs: dict[str, _Run] = {}
        self._kept: dict[str, Kept] = {}
        self._asked: dict[str, set[Job[Any]]] = {}
        self._seconds: dict[str, float] = {}

    def asked_now(self) -> None:
        """Remember, in this context, what the request to be answered in it is about.

        A request's handler may start after later messages have been taken in.
        """
        _asked_at.set(self._documents.count)

    def changed_since_asked(self, module: Module) -> bool:
        """Whether the text is newer than the request that is answered in this context."""
        asked_at = _asked_at.get()
        return asked_at is not None and module.text_revision > asked_at

    async def of(self, module_uri: str, *, urgent: bool) -> tuple[Module, Analysis]:
        """The module as it is now and its analysis.

        Raises `Superseded` when it is closed or its text changes before the answer is there, or has
        changed since `asked_now`, and whatever the analysis raised.
        """
        await self._ready()
        module = self._documents.freeze(module_uri)
        if module is None or self.changed_since_asked(module):
            raise Superseded
        text_revision = module.text_revision
        while True:
            try:
                analysis = await self._answer(module, urgent)
            except Superseded:
                analysis = None
            if analysis is not None and self._documents.is_current(module):
                return module, analysis
            # Settings or other files may have changed, which the client need not know of.
            module = self._documents.freeze(module_uri)
            if module is None or module.text_revision != text_revision:
                raise Superseded

    async def answer(
        self, module_uri: str, work_out: Callable[[Module, Analysis], T]
    ) -> tuple[Module, Analysis, T]:
        """What `of` gives, and what is worked out from it, on the worker's thread.

        Raises what `of` raises.
        """
        while True:
            module, analysis = await self.of(module_uri, urgent=True)
            with contextlib.suppress(Superseded):
                # Settings or other files may have changed; should it be the text, `of` says so.
                found = await self.ask(lambda cancel: work_out(module, analysis), module)  # noqa: B023
                return module, analysis, found

    async def _answer(self, module: Module, urgent: bool) -> Analysis:
        """The analysis of just this state. When the last one who waits is cancelled, so is it."""
        run = self._runs.get(module.uri)
        if run is None or run.module.revision != module.revision:
            if run is not None:
                run.job.cancel()
            run = self._start(module, urgent=urgent)
        elif urgent:
            self._worker.hurry(run.job)
        run.waiters += 1
        try:
            return await asyncio.shield(run.job.future)
        finally:
            run.waiters -= 1
            if not run.waiters and not run.job.future.done():
                run.job.cancel()
                if self._runs.get(module.uri) is run:
                    del self._runs[module.uri]

    def outdated(self, module_uri: str) -> None:
        """Give up what is under way for a module: those who wait get `Superseded`."""
        run = self._runs.pop(module_uri, None)
        if run is not None:
            run.job.cancel()
        for job in list(self._asked.pop(module_uri, ())):
            job.cancel()

    def closed(self, module_uri: str) -> None:
        """Forget a module."""
        self.outdated(module_uri)
        self._kept.pop(module_uri, None)

    def dependents(self, paths: frozenset[str], *, known_only: bool = False) -> list[str]:
        """The open modules whose latest analysis looked at one of these files.

        Those without one are among them unless `known_only`.
        """
        found = []
        for uri in self._documents.module_uris():
            known = self.latest(uri)
            if (not known_only) if known is None else bool(known.dependencies & paths):
                found.append(uri)
        return found

    def latest(self, module_uri: str) -> Analysis | None:
        """The analysis of a module's present state, where it is there."""
        run = self._runs.get(module_uri)
        if run is not None and run.job.future.done() and run.job.future.exception() is None:
            return run.job.future.result()
        return None

    def seconds(self, module_uri: str) -> float:
        """How long the last finished analysis of a module took; many where none has finished."""
        return self._seconds.get(module_uri, 60.0)

    def repeatable(
        self, module: Module, *, as_edited: bool = False
    ) -> Callable[[Module, Cancel], Analysis]:
        """What analyses `module` and variants of it under its settings, on the worker's thread.

        With `as_edited` they take over what is known of the module, and tell fixes when they are asked.
        """
        settings = self._settings_of(module)
        excluded = self._excludes(module)
        kept = self._kept.get(module.uri)

        def analyse(variant: Module, cancel: Cancel) -> Analysis:
            snapshot = variant.snapshot
            if as_edited:
                snapshot = replace(snapshot, is_edited=True, earlier=kept)
            analysis = self._analyse(snapshot, settings, cancel)
            analysis = as_meant_in(variant, analysis, settings)
            return replace(analysis, diagnostics=()) if excluded else analysis

        return analyse

    async def ask(self, run: Callable[[Cancel], T], module: Module) -> T:
        """Run something about `module` on the worker's thread, ahead of what nobody waits for.

        Raises `Superseded` when the module changes meanwhile. Cancelling the one who asks cancels
        it.
        """
        job = self._worker.submit(run, urgent=True)
        asked = self._asked.setdefault(module.uri, set())
        asked.add(job)
        try:
            answer = await asyncio.shield(job.future)
        finally:
            job.cancel()
            asked.discard(job)
        if not self._documents.is_current(module):
            raise Superseded
        return answer

    async def ask_of_text(
        self, make: Callable[[Module], Callable[[Cancel], T]], module: Module
    ) -> tuple[Module, T]:
        """What `ask` answers, and the module as it was then.

        Asked again where settings or other files have changed: raises `Superseded` only when the
        text has.
        """
        while True:
            try:
                return module, await self.ask(make(module), module)
            except Superseded:
                now = self._documents.freeze(module.uri)
                if now is None or now.text_revision != module.text_revision:
                    raise
                module = now

    def _start(self, module: Module, *, urgent: bool) -> _Run:
        loop = asyncio.get_running_loop()

        def late() -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self._late, module)

        impatient = replace(module, snapshot=replace(module.snapshot, when_late=late))
        analyse = self.repeatable(module, as_edited=True)
        started = 0.0

        def perform(cancel: Cancel) -> Analysis:
            nonlocal started
            started = time.perf_counter()
            return analyse(impatient, cancel)

        def settled(future: asyncio.Future[Analysis]) -> None:
            error = future.exception()
            if error is None:
                self._seconds[module.uri] = time.perf_counter() - started
                self._take(module, future.result())
            elif not isinstance(error, Superseded):
                self._failed(module, error)

        job = self._worker.submit(perform, urgent=urgent)
        job.future.add_done_callback(settled)
        run = self._runs[module.uri] = _Run(module, job)
        return run

    def _take(self, module: Module, analysis: Analysis) -> None:
        uri = module.uri
        if analysis.kept is not None and self._documents.module_uri(uri) == uri:
            self._kept[uri] = analysis.kept
        self._finished(module, analysis, self._seconds[uri])
