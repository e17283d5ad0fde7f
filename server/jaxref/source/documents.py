"""Files that hold Python: modules, notebooks, pages. The module to analyse, and the way back."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from jaxref.quick_dataclasses import NamedTuple, dataclass
from jaxref.source.text import Position, Replacement, Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from jaxref.source.markdown import Page
    from jaxref.source.notebooks import Notebook

DocumentKind: TypeAlias = 'Literal["module", "notebook", "page"]'

SUFFIXES: dict[str, DocumentKind] = {
    ".py": "module",
    ".pyi": "module",
    ".pyw": "module",
    ".ipynb": "notebook",
    ".md": "page",
    ".markdown": "page",
    ".myst": "page",
}


class Place(NamedTuple):
    """A place for people: lines and columns from 1; `cell` from 1 over all cells of a notebook."""

    cell: int | None
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Document:
    """One file's content, and the module made of its code.

    `source` is what the file holds, `module` what is analysed; for a plain module they are the
    same object.
    """

    kind: DocumentKind
    source: Text
    module: Text
    notebook: Notebook | None = None
    page: Page | None = None

    def place(self, offset: int) -> Place:
        """Where the module's `offset` is shown."""
        if self.notebook is not None and self.notebook.cells:
            index, inside = self.notebook.joined.cell_at(offset)
            cell = self.notebook.cells[index]
            return Place(cell.number, *Text(cell.source).position(inside))
        return Place(None, *self.file_position(offset))

    def is_meant_to_fail(self, offset: int) -> bool:
        """True when the module's `offset` is in a cell or fence tagged as one that raises."""
        if self.notebook is not None and self.notebook.cells:
            return self.notebook.cells[self.notebook.joined.cell_at(offset)[0]].fails
        return self.page is not None and self.module.line_index(offset) in self.page.failing

    def file_position(self, offset: int) -> Position:
        """Where the module's `offset` is written in the file itself."""
        return self.source.position(self.file_offset(offset))

    def file_offset(self, offset: int) -> int:
        """The offset in `source` of the module's `offset`."""
        if self.notebook is not None:
            from jaxref.source.notebooks import file_offset

            return file_offset(self.notebook, offset) if self.notebook.cells else 0
        if self.page is not None:
            return _page_offset(self, offset)
        return offset

    def shown_lines(self, offset: int) -> tuple[Text, int]:
        """The text to show lines of around the module's `offset`, and the offset in it."""
        if self.notebook is not None and self.notebook.cells:
            index, inside = self.notebook.joined.cell_at(offset)
            return Text(self.notebook.cells[index].source), inside
        return self.source, self.file_offset(offset)

    def file_edits(self, edits: Sequence[Replacement]) -> tuple[Replacement, ...]:
        """`edits` of the module as edits of `source`. Raises `ValueError` where that cannot be."""
        if self.notebook is not None:
            from jaxref.source.notebooks import file_edits

            return file_edits(self.notebook, edits)
        if self.page is not None:
            return tuple(self._page_edit(edit) for edit in edits)
        return tuple(edits)

    def _page_edit(self, edit: Replacement) -> Replacement:
        start = self.file_offset(edit.span.start)
        end = self.file_offset(edit.span.end)
        line = self.source.line_span(self.source.line_index(start))
        module_line = self.module.line_span(self.module.line_index(edit.span.start))
        cut = (line.end - line.start) - (module_line.end - module_line.start)
        prefix = self.source.content[line.start : line.start + cut]
        text = edit.text
        if prefix.strip().startswith((">>>", "...")) and "\n" in text:
            raise ValueError("a line cannot be added in an interactive session")
        if prefix and "\n" in text:
            head, *rest = text.split("\n")
            at_line_start = edit.span.start == module_line.start
            text = "\n".join([head, *(prefix + part if part else part for part in rest)])
            if at_line_start and text.endswith("\n"):
                text += prefix
        return Replacement(Span(start, end), text)


def document_of(content: str, kind: DocumentKind = "module") -> Document:
    """The document that a file's `content` makes. Raises `Unreadable` for a broken notebook."""
    source = Text(content)
    if kind == "notebook":
        from jaxref.source.notebooks import notebook_of

        notebook = notebook_of(content)
        return Document(kind, source, Text(notebook.joined.module), notebook=notebook)
    if kind == "page":
        from jaxref.source.markdown import page_of

        page = page_of(content)
        return Document(kind, source, Text(page.module), page=page)
    return Document(kind, source, source)


def kind_of(path: str, suffixes: Mapping[str, DocumentKind] = SUFFIXES) -> DocumentKind | None:
    """The kind of the file called `path`, None for one that holds no Python."""
    return suffixes.get(os.path.splitext(path)[1].lower())


def _page_offset(document: Document, offset: int) -> int:
    assert document.page is not None
    pieces = document.page.pieces
    at = bisect_right(pieces, offset, key=lambda piece: piece.module) - 1
    if at >= 0:
        piece = pieces[at]
        if offset <= piece.module + piece.length:
            return piece.source + offset - piece.module
    line, column = document.module.position(offset)
    return document.source.offset(line, column)
