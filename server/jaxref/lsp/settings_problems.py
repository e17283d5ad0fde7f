"""Mistakes in settings, shown in the settings file itself."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from lsprotocol import types

from jaxref.lsp.documents import Documents
from jaxref.lsp.findings import SOURCE
from jaxref.lsp.positions import Encoding, to_range
from jaxref.lsp.reports import Reports
from jaxref.lsp.uris import uri_of
from jaxref.resolve.files import read_bytes
from jaxref.settings import SettingsProblem
from jaxref.source.text import Span, Text


class SettingsProblems:
    """Publishes what is wrong in settings files, and takes it back once it is repaired."""

    def __init__(
        self,
        documents: Documents,
        send: Callable[[types.PublishDiagnosticsParams], None],
        reports: Reports,
    ) -> None:
        self.encoding: Encoding = "utf-16"
        self._documents = documents
        self._send = send
        self._reports = reports
        self._published: dict[str, tuple[SettingsProblem, ...]] = {}
        self._confirmed: set[str] = set()

    def read(self, path: str | None, problems: Sequence[SettingsProblem]) -> None:
        """A settings file was read, or, with None, the client's settings."""
        if path is None:
            for problem in problems:
                self._reports.setting(f"in the editor's settings, {problem.message}")
            return
        self._confirmed.add(path)
        if tuple(problems) != self._published.get(path, ()):
            self._publish(path, problems)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Within it all settings are read anew: files that are no longer read lose their problems."""
        self._confirmed.clear()
        yield
        for path in sorted(self._published.keys() - self._confirmed):
            self._publish(path, ())

    def _publish(self, path: str, problems: Sequence[SettingsProblem]) -> None:
        uri = uri_of(path)
        read = read_bytes(path)
        text = Text("" if read is None else read[0].decode("utf-8", "replace"))
        items = []
        for problem in problems:
            start = text.offset(problem.line, problem.column)
            line = text.line_span(text.line_index(start))
            end = start + len(text.content[start : line.end].rstrip())
            items.append(
                types.Diagnostic(
                    to_range(text, Span(start, end), self.encoding),
                    problem.message,
                    severity=types.DiagnosticSeverity.Warning,
                    code="settings",
                    source=SOURCE,
                )
            )
        if problems:
            self._published[path] = tuple(problems)
        else:
            self._published.pop(path, None)
        self._send(types.PublishDiagnosticsParams(uri, items))
