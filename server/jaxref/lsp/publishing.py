"""When diagnostics are sent, and where: pushed or pulled, never twice, never outdated.

A client that pulls gets those of files by pulling. Cells are always pushed, a notebook's cells all
at once: clients pull cells late and miss moves. What is not open has no diagnostics.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from jaxref.lsp.analyses import Analyses
from jaxref.lsp.documents import Documents
from jaxref.lsp.features import Features
from jaxref.lsp.findings import converted, result_id
from jaxref.lsp.worker import Superseded

PULLED_SCHEMES = ("file", "untitled", "inmemory")

_SERVER_CANCELLED = -32802

_NO_TIME = 0.1
"""Seconds: before the next keystroke, most of the time."""
_TYPING = 5
"""Pauses of so many quiet times are not made while typing."""


class Publisher:
    """Sends diagnostics. `send` publishes, `refresh` asks a pulling client to pull again.

    `failed` is told of what kept a module's diagnostics from being found. `quiet` are the seconds
    without a further change after which a change is looked at at the latest.
    """

    def __init__(
        self,
        documents: Documents,
        analyses: Analyses,
        *,
        send: Callable[[types.PublishDiagnosticsParams], None],
        refresh: Callable[[], None],
        failed: Callable[[str, BaseException], None],
        quiet: float,
    ) -> None:
        self.features = Features()
        self._quiet = quiet
        self._documents = documents
        self._analyses = analyses
        self._send = send
        self._refresh = refresh
        self._failed = failed
        self._pushes: dict[str, asyncio.Task[None]] = {}
        self._published: dict[str, set[str]] = {}
        self._due: dict[str, float] = {}
        self._changed_at: dict[str, float] = {}
        self._refreshing: asyncio.TimerHandle | None = None

    def changed(self, module_uri: str, *, at_once: bool) -> None:
        """A module is to be looked at anew."""
        now = time.monotonic()
        delay = (
            0.0 if at_once else self._delay(module_uri, now - self._changed_at.get(module_uri, 0.0))
        )
        self._changed_at[module_uri] = now
        self._due[module_uri] = now + delay
        self._stop_push(module_uri)
        if not self._is_pulled(module_uri):
            self._pushes[module_uri] = asyncio.create_task(self._push(module_uri, delay))

    def outdated(self, module_uris: list[str]) -> None:
        """Something that these modules depend on has changed, but not their text."""
        for uri in module_uris:
            self.changed(uri, at_once=False)
        if any(self._is_pulled(uri) for uri in module_uris):
            if self._refreshing is not None:
                self._refreshing.cancel()
            self._refreshing = asyncio.get_running_loop().call_later(self._quiet, self._refresh)

    def closed(self, module_uri: str) -> None:
        """Take back what was pushed for a module that is no longer open."""
        self._stop_push(module_uri)
        self._due.pop(module_uri, None)
        self._changed_at.pop(module_uri, None)
        for uri in sorted(self._published.pop(module_uri, ())):
            self._publish(uri, None, [])

    def cells_closed(self, module_uri: str, cells: list[str]) -> None:
        """Take back what was pushed for cells that are no longer in a notebook."""
        published = self._published.get(module_uri, set())
        for uri in cells:
            if uri in published:
                published.discard(uri)
                self._publish(uri, None, [])

    def stop(self) -> None:
        """Send nothing any more."""
        for uri in list(self._pushes):
            self._stop_push(uri)
        if self._refreshing is not None:
            self._refreshing.cancel()

    async def pull(
        self, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
        """The answer to `textDocument/diagnostic`: for the text as it is when it is sent."""
        uri = params.text_document.uri
        module = self._documents.freeze(uri)
        if module is None or module.is_notebook:
            # Cells are pushed, so that their findings do not show twice.
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        items: list[types.Diagnostic] = []
        try:
            if self._analyses.changed_since_asked(module):
                raise Superseded
            wait = self._due.get(uri, 0.0) - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
                module = self._documents.freeze(uri)
                if module is None or self._analyses.changed_since_asked(module):
                    raise Superseded
            module, analysis = await self._analyses.of(uri, urgent=True)
            items = converted(module, analysis, self.features, self._documents.uri_of_path)[uri]
        except Superseded:
            # The client pulls again of its own accord: it was the one who changed the text.
            raise JsonRpcException(
                "the document has changed", _SERVER_CANCELLED, {"retriggerRequest": False}
            ) from None
        except Exception as error:
            # An error as the answer would pop up at every keystroke.
            self._failed(uri, error)
        made = result_id(items)
        if params.previous_result_id == made:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=made)
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=made)

    def _delay(self, module_uri: str, pause: float) -> float:
        """How long to wait for a further change, when the one before was `pause` seconds ago.

        Not longer than the analysis takes that would be in vain, and not at all where that is no
        time, or where nobody seems to be typing.
        """
        seconds = self._analyses.seconds(module_uri)
        if seconds < _NO_TIME or pause > _TYPING * self._quiet:
            return 0.0
        return min(seconds, self._quiet)

    def _is_pulled(self, module_uri: str) -> bool:
        if not self.features.pull or urlsplit(module_uri).scheme not in PULLED_SCHEMES:
            return False
        module = self._documents.freeze(module_uri)
        return module is not None and not module.is_notebook

    async def _push(self, module_uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        by_part: dict[str, list[types.Diagnostic]]
        try:
            module, analysis = await self._analyses.of(module_uri, urgent=False)
            by_part = converted(module, analysis, self.features, self._documents.uri_of_path)
        except Superseded:
            return
        except Exception as error:
            self._failed(module_uri, error)
            failed = self._documents.freeze(module_uri)
            if failed is None:
                return
            # What was said of an earlier text is no longer true.
            module = failed
            by_part = {part.uri: [] for part in module.parts}
        before = self._published.get(module_uri, set())
        self._published[module_uri] = set(by_part)
        for part in module.parts:
            self._publish(part.uri, part.version, by_part[part.uri])
        for uri in sorted(before - set(by_part)):
            self._publish(uri, None, [])

    def _publish(self, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
        self._send(types.PublishDiagnosticsParams(uri, items, version))

    def _stop_push(self, module_uri: str) -> None:
        task = self._pushes.pop(module_uri, None)
        if task is not None:
            task.cancel()
