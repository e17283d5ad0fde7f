"""The client's documents as the server knows them, and the frozen modules made of them."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lsprotocol import types

from jaxref.engine import Snapshot
from jaxref.lsp.positions import Encoding, to_span
from jaxref.lsp.uris import path_of, uri_of
from jaxref.quick_dataclasses import dataclass, field, replace
from jaxref.source.cells import RAISING_TAG, join_cells
from jaxref.source.documents import Document, DocumentKind, document_of
from jaxref.source.text import Span, Text

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Part:
    """One document of the client within a module: a whole file, or one cell of a notebook.

    `start` is where its text begins in the module's text; both have the same length. A cell may be
    tagged as one that raises.
    """

    uri: str
    version: int
    text: Text
    start: int = 0
    is_meant_to_fail: bool = False

    @property
    def end(self) -> int:
        """Where its text ends in the module's text."""
        return self.start + len(self.text.content)


@dataclass(frozen=True, slots=True)
class Module:
    """What is analysed at once, frozen: a file, or a notebook's code cells in their order.

    `revision` is the server's own count: it grows with every change of the text, of the settings
    and of the files the module depends on, and never repeats. `text_revision` is that of the last
    change of the text. Offsets count in `snapshot.text`.

    `document` is set where the only part is the text of a whole file that holds code in pieces.
    """

    uri: str
    revision: int
    text_revision: int
    snapshot: Snapshot
    parts: tuple[Part, ...]
    is_notebook: bool
    document: Document | None = None

    def part(self, uri: str) -> Part | None:
        """The part that is the client's document `uri`."""
        return next((part for part in self.parts if part.uri == uri), None)

    def place(self, span: Span) -> tuple[Part, Span] | None:
        """The part in which `span` starts, and the span there, cut off at the part's end."""
        if not self.parts:
            return None
        if self.document is not None:
            start = self.document.file_offset(span.start)
            return self.parts[0], Span(start, max(start, self.document.file_offset(span.end)))
        index = bisect_right([part.start for part in self.parts], span.start) - 1
        part = self.parts[max(index, 0)]
        size = len(part.text.content)
        start = min(max(span.start - part.start, 0), size)
        return part, Span(start, min(max(span.end - part.start, start), size))

    def is_meant_to_fail(self, span: Span) -> bool:
        """Whether the notebook or page says that the code at `span` raises."""
        if self.document is not None:
            return self.document.is_meant_to_fail(span.start)
        placed = self.place(span)
        return placed is not None and placed[0].is_meant_to_fail

    def text_between(self, start: int, end: int) -> str:
        """The module's characters from `start` to `end`."""
        return self.snapshot.text[start:end]

    def with_texts(self, contents: Sequence[str]) -> Module:
        """The same module with other texts in its parts, for trying edits out."""
        texts = [Text(content) for content in contents]
        parts = [replace(part, text=text) for part, text in zip(self.parts, texts, strict=True)]
        return _with_parts(self, parts)


@dataclass(slots=True)
class _Document:
    uri: str
    language: str
    version: int
    text: Text


@dataclass(slots=True)
class _Notebook:
    uri: str
    version: int
    cells: list[types.NotebookCell]


@dataclass(slots=True)
class Documents:
    """All that the client has open. Keys are the client's URIs, never taken apart or rewritten.

    `count` is the latest revision of any module.
    """

    encoding: Encoding = "utf-16"
    _texts: dict[str, _Document] = field(default_factory=dict)
    _notebooks: dict[str, _Notebook] = field(default_factory=dict)
    _notebook_of: dict[str, str] = field(default_factory=dict)
    _revisions: dict[str, int] = field(default_factory=dict)
    _text_revisions: dict[str, int] = field(default_factory=dict)
    _frozen: dict[str, Module] = field(default_factory=dict)
    count: int = 0

    def module_uri(self, uri: str) -> str | None:
        """The module that document `uri` belongs to: itself, or the notebook of a cell.

        None for what is not open or holds no Python.
        """
        if uri in self._notebooks:
            return uri
        document = self._texts.get(uri)
        if document is None:
            return None
        return self._notebook_of.get(uri) or (uri if _is_python(document) else None)

    def module_uris(self) -> Iterator[str]:
        """Every open module."""
        for uri in [*self._texts, *self._notebooks]:
            if self.module_uri(uri) == uri:
                yield uri

    def is_cell(self, uri: str) -> bool:
        """Whether `uri` is a cell of an open notebook."""
        return uri in self._notebook_of

    def uri_of_path(self, path: str) -> str | None:
        """The open module of a file, by the URI the client gave it."""
        return next((uri for uri in self.module_uris() if path_of(uri) == path), None)

    def text(self, uri: str) -> Text | None:
        """The present text of an open document or cell."""
        document = self._texts.get(uri)
        return None if document is None else document.text

    def touch(self, module_uri: str) -> None:
        """Make what is known of a module outdated: something it depends on has changed."""
        self.count += 1
        self._revisions[module_uri] = self.count
        self._frozen.pop(module_uri, None)

    def _text_changed(self, module_uri: str) -> None:
        self.touch(module_uri)
        self._text_revisions[module_uri] = self.count

    def is_current(self, module: Module) -> bool:
        """Whether nothing has changed since the module was frozen."""
        return self._revisions.get(module.uri) == module.revision

    def freeze(self, module_uri: str) -> Module | None:
        """The module as it is now; None when it is not open."""
        frozen = self._frozen.get(module_uri)
        if frozen is None and self.module_uri(module_uri) == module_uri:
            revision = self._revisions[module_uri]
            path = path_of(module_uri) or module_uri
            notebook = self._notebooks.get(module_uri)
            sources = [self._texts[module_uri]] if notebook is None else self._code(notebook)
            raising = _raising(notebook)
            parts = [
                Part(one.uri, one.version, one.text, is_meant_to_fail=one.uri in raising)
                for one in sources
            ]
            empty = Snapshot(path, "", overlay=self.overlay(module_uri))
            text_revision = self._text_revisions[module_uri]
            frozen = _with_parts(
                Module(module_uri, revision, text_revision, empty, (), notebook is not None), parts
            )
            self._frozen[module_uri] = frozen
        return frozen

    def open(self, item: types.TextDocumentItem) -> None:
        """Take in a document; one that was open already is replaced."""
        self._put(item)
        self._text_changed(item.uri)

    def change(
        self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> bool:
        """Apply the changes one after the other. False for a document that is not open."""
        document = self._texts.get(uri)
        if document is None:
            logger.warning("ignored a change of %s, which is not open", uri)
            return False
        for change in changes:
            document.text = _changed(document.text, change, self.encoding)
        document.version = version
        self._text_changed(self._notebook_of.get(uri, uri))
        return True

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._texts.pop(uri, None)
        self._forget(uri)

    def open_notebook(
        self, notebook: types.NotebookDocument, cells: Sequence[types.TextDocumentItem]
    ) -> None:
        """Take in a notebook and its cells' texts."""
        self._notebooks[notebook.uri] = _Notebook(
            notebook.uri, notebook.version, list(notebook.cells)
        )
        for item in cells:
            self._put(item)
            self._notebook_of[item.uri] = notebook.uri
        self._text_changed(notebook.uri)

    def change_notebook(
        self, uri: str, version: int, change: types.NotebookDocumentChangeEvent
    ) -> list[str] | None:
        """Apply a change of structure, kinds and texts; returns the cells that were closed.

        None for a notebook that is not open.
        """
        notebook = self._notebooks.get(uri)
        if notebook is None:
            logger.warning("ignored a change of notebook %s, which is not open", uri)
            return None
        notebook.version = version
        closed: list[str] = []
        cells = change.cells
        if cells is not None and cells.structure is not None:
            array = cells.structure.array
            first, last = array.start, array.start + array.delete_count
            notebook.cells[first:last] = array.cells or []
            for gone in cells.structure.did_close or []:
                closed.append(gone.uri)
                self._texts.pop(gone.uri, None)
                self._notebook_of.pop(gone.uri, None)
            for item in cells.structure.did_open or []:
                self._put(item)
                self._notebook_of[item.uri] = uri
        if cells is not None and cells.data:
            kinds = {cell.document: cell for cell in cells.data}
            notebook.cells = [kinds.get(cell.document, cell) for cell in notebook.cells]
        for edit in (cells.text_content or []) if cells is not None else []:
            self.change(edit.document.uri, edit.document.version, edit.changes)
        self._text_changed(uri)
        return closed

    def close_notebook(self, uri: str, cells: Sequence[str]) -> list[str]:
        """Forget a notebook; returns all its cells, also those the client did not name."""
        owned = [cell for cell, owner in self._notebook_of.items() if owner == uri]
        gone = list(dict.fromkeys([*cells, *owned]))
        for cell in gone:
            self._texts.pop(cell, None)
            self._notebook_of.pop(cell, None)
        self._notebooks.pop(uri, None)
        self._forget(uri)
        return gone

    def _put(self, item: types.TextDocumentItem) -> None:
        language = item.language_id
        name = language.value if isinstance(language, types.LanguageKind) else str(language)
        self._texts[item.uri] = _Document(item.uri, name, item.version, Text(item.text))

    def _forget(self, module_uri: str) -> None:
        self._revisions.pop(module_uri, None)
        self._text_revisions.pop(module_uri, None)
        self._frozen.pop(module_uri, None)

    def overlay(self, without: str | None = None) -> dict[str, str]:
        """The texts of the open files by their paths, but for the document `without`."""
        return {
            path: document.text.content
            for uri, document in self._texts.items()
            if uri != without and _is_python(document) and (path := path_of(uri)) is not None
        }

    def _code(self, notebook: _Notebook) -> list[_Document]:
        documents = (
            self._texts.get(cell.document)
            for cell in notebook.cells
            if cell.kind == types.NotebookCellKind.Code
        )
        return [one for one in documents if one is not None and _is_python(one)]


def _raising(notebook: _Notebook | None) -> frozenset[str]:
    """The cells that are tagged as ones that raise."""
    cells = notebook.cells if notebook is not None else ()
    return frozenset(cell.document for cell in cells if _has_tag(cell.metadata))


def _has_tag(metadata: Any, depth: int = 2) -> bool:
    if not isinstance(metadata, Mapping):
        return False
    tags = metadata.get("tags")
    if isinstance(tags, list | tuple) and RAISING_TAG in tags:
        return True
    # Clients differ in where they keep what the file says of a cell.
    inner = (metadata.get(key) for key in ("metadata", "custom"))
    return depth > 0 and any(_has_tag(one, depth - 1) for one in inner)


def closed_module(
    path: str, content: str, kind: DocumentKind, overlay: Mapping[str, str]
) -> Module:
    """The module of a file that is not open. Raises `Unreadable` for a broken notebook."""
    document = document_of(content, kind)
    uri = uri_of(path)
    return Module(
        uri,
        0,
        0,
        Snapshot(path, document.module.content, overlay=overlay),
        (Part(uri, 0, document.source),),
        is_notebook=False,
        document=None if kind == "module" else document,
    )


def _with_parts(module: Module, parts: Sequence[Part]) -> Module:
    if not module.is_notebook:
        (part,) = parts
        snapshot = replace(module.snapshot, text=part.text.content, version=part.version)
        return replace(module, snapshot=snapshot, parts=(part,))
    joined = join_cells([part.text.content for part in parts])
    placed = tuple(
        replace(part, start=start) for part, start in zip(parts, joined.starts, strict=True)
    )
    snapshot = replace(module.snapshot, text=joined.module)
    return replace(module, snapshot=snapshot, parts=placed)


def _is_python(document: _Document) -> bool:
    if document.language.lower() in ("python", "python3", "ipython"):
        return True
    # Some clients send an empty or made-up language for files they know by their name.
    return not document.language and document.uri.endswith((".py", ".pyi"))


def _changed(text: Text, change: types.TextDocumentContentChangeEvent, encoding: Encoding) -> Text:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return Text(change.text)
    span = to_span(text, change.range, encoding)
    return Text(text.content[: span.start] + change.text + text.content[span.end :])
