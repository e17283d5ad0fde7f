"""Findings of the whole workspace: pulled, pushed, or looked for once; open files are left out.

What an open file holds is said by `publishing`, so nothing is said twice: a file that is opened
loses what was pushed for it, and is looked at anew once it is closed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextvars import ContextVar

from lsprotocol import types

from jaxref.lsp.client_settings import DiagnosticMode
from jaxref.lsp.closed_files import ClosedFiles, Looked
from jaxref.lsp.configuration import Configuration
from jaxref.lsp.uris import path_of, uri_of
from jaxref.lsp.work_done import Token, WorkDone
from jaxref.quick_dataclasses import dataclass, field

CHECK_COMMAND = "jaxref.server.checkWorkspace"
"""The command that looks for all findings once."""

_PULL_PATIENCE_SECONDS = 5.0
_PARTIAL_SECONDS = 0.3
"""How long findings are gathered before they are sent as a part of the answer."""
_AT_ONCE = 20
"""Files that are known already are gone through in such portions, so that the loop stays free."""
_TITLE = "jaxref: checking the workspace"

_asked_at: ContextVar[int] = ContextVar("closed_when_asked", default=0)

Report = types.WorkspaceFullDocumentDiagnosticReport


@dataclass(frozen=True, slots=True)
class Checked:
    """How looking at a workspace went."""

    files: int
    findings: int
    stopped: bool


@dataclass(slots=True)
class _Pull:
    """One request of a client: what it has, by path, and what it is about to be told."""

    uris: dict[str, str]
    known: dict[str, str]
    reports: list[Report | types.WorkspaceUnchangedDocumentDiagnosticReport] = field(
        default_factory=list
    )
    told: bool = False
    """Whether a part of the answer was sent."""

    def add(self, path: str, items: list[types.Diagnostic], result_id: str) -> None:
        """Report what the client does not have; nothing where that is nothing."""
        before = self.known.pop(path, None)
        if items:
            self.known[path] = result_id
        if before != (result_id if items else None):
            uri = self.uris.setdefault(path, uri_of(path))
            self.reports.append(Report(uri, items, result_id=result_id if items else None))


class Workspace:
    """`send` publishes, `partial` sends a part of an answer, `begin` makes a piece of work.

    `quiet` are the seconds without a further change after which a change is looked at.
    """

    def __init__(
        self,
        closed: ClosedFiles,
        configuration: Configuration,
        *,
        send: Callable[[types.PublishDiagnosticsParams], None],
        partial: Callable[[Token, types.WorkspaceDiagnosticReportPartialResult], None],
        begin: Callable[[str, Token | None], WorkDone],
        quiet: float,
    ) -> None:
        self._is_pulled = False
        """Whether the client asks for the findings of a workspace of its own accord."""
        self._expecting: asyncio.TimerHandle | None = None
        self._closed = closed
        self._configuration = configuration
        self._send = send
        self._partial = partial
        self._begin = begin
        self._quiet = quiet
        self._pushed: dict[str, str] = {}
        """The result that was pushed last, by path; only those with findings."""
        self._once: set[str] = set()
        """What was pushed because it was asked for once."""
        self._pulls: list[_Pull] = []
        self._closings: list[str] = []
        """The files that were closed: clients forget what they had of them."""
        self._news = asyncio.Event()
        self._changed_at = 0.0
        self._pushing: asyncio.Task[None] | None = None
        self._declined = False
        """Whether the user has stopped looking at everything."""
        self._ended = False

    def asked_now(self) -> None:
        """Remember, in this context, what a request does not know yet.

        A request's handler may start after later messages have been taken in.
        """
        _asked_at.set(len(self._closings))

    def expect_pulls(self, expected: bool) -> None:
        """Whether the client was told that it may pull the findings of a workspace.

        Not all that pull files do so: those that let some time pass are pushed them.
        """
        self._is_pulled = expected
        if self._expecting is not None:
            self._expecting.cancel()
            self._expecting = None
        if expected:
            loop = asyncio.get_running_loop()
            self._expecting = loop.call_later(_PULL_PATIENCE_SECONDS, self._nobody_pulls)

    def _nobody_pulls(self) -> None:
        self._is_pulled = False
        self._wake()

    def _somebody_pulls(self) -> None:
        if self._expecting is not None:
            self._expecting.cancel()
        if self.is_wanted() and not self._is_pulled:
            self._is_pulled = True
            self._wake()

    def is_wanted(self) -> bool:
        """Whether the settings want a whole folder to be looked at all the time."""
        return bool(self._folders("workspace"))

    # -- what has changed

    def files_changed(self, paths: Iterable[str], *, listing_changed: bool = False) -> None:
        """Files are no longer as they were, on disk or in an editor; some may have come or gone."""
        if listing_changed:
            self._closed.forget_walks()
        if self._closed.forget(paths, listing_changed=listing_changed) or listing_changed:
            self._wake()

    def opened(self, uri: str) -> None:
        """A file was opened: what is said of it is said by others from now on."""
        path = path_of(uri)
        if path is not None:
            self._push(path, None)
            self._closed.forget([path], listing_changed=True)
            self._wake()

    def closed(self, uri: str) -> None:
        """A file was closed: its findings on disk count again."""
        path = path_of(uri)
        if path is not None:
            self._closings.append(path)
            for pull in self._pulls:
                pull.known.pop(path, None)
            self._closed.forget([path], listing_changed=True)
            self._wake()

    def settings_changed(self) -> None:
        """Other folders, files or rules may be wanted."""
        self._declined = False
        self._closed.forget_walks()
        self._wake()

    def stop(self) -> None:
        """Send nothing any more."""
        self._ended = True
        if self._expecting is not None:
            self._expecting.cancel()
        if self._pushing is not None:
            self._pushing.cancel()

    # -- pulled

    async def pull(
        self, params: types.WorkspaceDiagnosticParams, *, watched: bool
    ) -> types.WorkspaceDiagnosticReport:
        """The answer to `workspace/diagnostic`, as soon as there is something the client lacks.

        A client that does not say which files change (`watched`) is answered at once, after looking
        which have: nothing would end the waiting.
        """
        self._somebody_pulls()
        pull = _Pull({}, {})
        for one in params.previous_result_ids:
            path = path_of(one.uri)
            if path is not None:
                pull.uris[path], pull.known[path] = one.uri, one.value
        for path in self._closings[_asked_at.get() :]:
            pull.known.pop(path, None)
        if not watched:
            self._closed.forget_walks()
        self._pulls.append(pull)
        try:
            while True:
                news = self._news
                if not self._declined:
                    await self._answer(pull, params.partial_result_token, params.work_done_token)
                    if pull.told or pull.reports or not (watched and self.is_wanted()):
                        break
                await news.wait()
                await self._until_quiet()
        finally:
            self._pulls.remove(pull)
        if params.partial_result_token is not None:
            self._flush(pull, params.partial_result_token)
        return types.WorkspaceDiagnosticReport(pull.reports)

    async def _answer(self, pull: _Pull, token: Token | None, work_token: Token | None) -> None:
        told_at = time.monotonic()
        seen: set[str] = set()
        async with self._begin(_TITLE, work_token) as work:
            async for path, looked in self._looks(["workspace"], work):
                seen.add(path)
                if looked is not None:
                    pull.add(path, looked.items, looked.result_id)
                if token is not None and time.monotonic() - told_at > _PARTIAL_SECONDS:
                    told_at = time.monotonic()
                    self._flush(pull, token)
            if not work.stopped:
                for path in [one for one in pull.known if one not in seen]:
                    if not self._closed.is_open(path):
                        pull.add(path, [], "")

    def _flush(self, pull: _Pull, token: Token) -> None:
        if pull.reports:
            self._partial(token, types.WorkspaceDiagnosticReportPartialResult(pull.reports))
            pull.reports, pull.told = [], True

    # -- pushed

    async def check(self, token: Token | None) -> Checked:
        """Look at every file once, but for where `diagnosticMode` is off.

        Where nobody pulls them the findings are pushed. They are taken back when they no longer
        hold, but no new ones are looked for.
        """
        self._declined = False
        self._closed.forget_everything()
        files = findings = 0
        async with self._begin(_TITLE, token) as work:
            async for path, looked in self._looks(["workspace", "openFilesOnly"], work):
                if looked is not None:
                    files += 1
                    findings += len(looked.items)
                    self._once.add(path)
                    self._push(path, looked)
            stopped = work.stopped
        self._wake()
        return Checked(files, findings, stopped)

    def _wake(self) -> None:
        self._changed_at = time.monotonic()
        self._news.set()
        self._news = asyncio.Event()
        wanted = self._pushed or (self.is_wanted() and not self._is_pulled)
        if wanted and not self._ended and (self._pushing is None or self._pushing.done()):
            self._pushing = asyncio.get_running_loop().create_task(self._push_again())

    async def _push_again(self) -> None:
        """Push what has become of all that was pushed, and of what else is wanted."""
        while True:
            await self._until_quiet()
            begun = time.monotonic()
            seen: set[str] = set()
            async with self._begin(_TITLE, None) as work:
                everything = not self._is_pulled and not self._declined
                if everything:
                    async for path, looked in self._looks(["workspace"], work):
                        seen.add(path)
                        self._push(path, looked)
                everything = everything and not work.stopped
                for path in [one for one in self._pushed if one not in seen]:
                    is_gone = everything and self._mode(path) == "workspace"
                    self._push(path, None if is_gone else await self._looked(path))
            if self._changed_at <= begun:
                return

    def _push(self, path: str, looked: Looked | None) -> None:
        """Publish what was found unless the client has it, or gets it in another way."""
        before = self._pushed.pop(path, None)
        if looked is not None and looked.items and self._is_pushed(path):
            self._pushed[path] = looked.result_id
            if before != looked.result_id:
                self._send(types.PublishDiagnosticsParams(looked.uri, looked.items))
        elif before is not None:
            self._send(types.PublishDiagnosticsParams(uri_of(path), []))

    def _is_pushed(self, path: str) -> bool:
        mode = self._mode(path)
        if mode == "workspace":
            return not self._is_pulled
        return mode == "openFilesOnly" and path in self._once

    # -- both

    async def _looks(
        self, modes: Sequence[DiagnosticMode], work: WorkDone
    ) -> AsyncIterator[tuple[str, Looked | None]]:
        """Each file that is wanted and what was found in it; None for what is open or unreadable.

        Ends early when the user stops it.
        """
        folders = self._folders(*modes)
        if not folders:
            return
        found = await self._closed.paths(folders, lambda: work.stopped)
        paths = [path for path in found if self._mode(path) in modes]
        for index, path in enumerate(paths):
            if work.stopped:
                self._declined = True
                return
            if index % _AT_ONCE == 0:
                await asyncio.sleep(0)
            work.report(index, len(paths))
            yield path, await self._closed.look(path)
        self._declined = self._declined or work.stopped
        work.report(len(paths), len(paths))

    async def _looked(self, path: str) -> Looked | None:
        if self._configuration.excludes(path):
            return None
        return await self._closed.look(path)

    def _mode(self, path: str) -> DiagnosticMode:
        return self._configuration.reading.of(path).editor.diagnostic_mode

    def _folders(self, *modes: DiagnosticMode) -> list[str]:
        reading = self._configuration.reading
        paths = [path for one in self._configuration.folders if (path := path_of(one.uri))]
        return [path for path in paths if reading.of_folder(path).editor.diagnostic_mode in modes]

    async def _until_quiet(self) -> None:
        while (left := self._changed_at + self._quiet - time.monotonic()) > 0:
            await asyncio.sleep(left)
