"""Notebook files: their code cells, and where in the JSON each character of them stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from jaxref.quick_dataclasses import dataclass
from jaxref.source.cells import RAISING_TAG, JoinedCells, join_cells
from jaxref.source.reading import Unreadable
from jaxref.source.text import Replacement, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class SourceString:
    """One JSON string of a cell's source: its span in the file with the quotes, and its value."""

    span: Span
    value: str


@dataclass(frozen=True, slots=True)
class CodeCell:
    """A code cell. `number` counts all cells of the notebook from 1.

    `listed` when its source is a list of lines, `fails` when it is tagged as one that raises.
    """

    number: int
    strings: tuple[SourceString, ...]
    listed: bool
    fails: bool = False

    @property
    def source(self) -> str:
        """The cell's text."""
        return "".join(string.value for string in self.strings)


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's code as one module."""

    content: str
    cells: tuple[CodeCell, ...]
    joined: JoinedCells


def notebook_of(content: str) -> Notebook:
    """Read a notebook's JSON. Raises `Unreadable` for what is no notebook."""
    try:
        loaded = json.loads(content)
    except json.JSONDecodeError as error:
        raise Unreadable(f"is not a notebook: {error.msg.lower()} on line {error.lineno}") from None
    except (RecursionError, ValueError) as error:
        raise Unreadable(f"is not a notebook: {error}") from None
    cells = loaded.get("cells") if isinstance(loaded, dict) else None
    if not isinstance(cells, list):
        raise Unreadable("is not a notebook of format 4: it has no list of cells")
    code: list[CodeCell] = []
    if _is_python(loaded):
        strings = _source_strings(content)
        for index, cell in enumerate(cells):
            if isinstance(cell, dict) and cell.get("cell_type") == "code":
                written = tuple(strings.get(index, ()))
                code.append(CodeCell(index + 1, written, _is_listed(cell), _fails(cell)))
    return Notebook(content, tuple(code), join_cells([cell.source for cell in code]))


def _is_listed(cell: dict[str, Any]) -> bool:
    return isinstance(cell.get("source"), list)


def _fails(cell: dict[str, Any]) -> bool:
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return isinstance(tags, list) and RAISING_TAG in tags


def _is_python(notebook: dict[str, Any]) -> bool:
    metadata = notebook.get("metadata")
    if not isinstance(metadata, dict):
        return True
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(key)
        if isinstance(part, dict) and isinstance(part.get(name), str):
            return bool(part[name].lower() in ("python", "ipython", "python3"))
    return True


def file_offset(notebook: Notebook, offset: int) -> int:
    """The offset in the file's JSON at which the module's character at `offset` is written."""
    index, inside = notebook.joined.cell_at(offset)
    cell = notebook.cells[index]
    for position, string in enumerate(cell.strings):
        last = position + 1 == len(cell.strings)
        if inside < len(string.value) or (last and inside <= len(string.value)):
            return _written_offsets(notebook.content, string)[inside]
        inside -= len(string.value)
    return cell.strings[-1].span.end if cell.strings else 0


def file_edits(notebook: Notebook, edits: Sequence[Replacement]) -> tuple[Replacement, ...]:
    """`edits` of the module as edits of the file, which touch only the strings that change.

    Raises `ValueError` for an edit that crosses from one cell to another.
    """
    by_cell: dict[int, list[Replacement]] = {}
    for edit in sorted(edits, key=lambda edit: edit.span):
        first, start = notebook.joined.cell_at(edit.span.start)
        last, end = notebook.joined.cell_at(edit.span.end)
        if first != last:
            raise ValueError("an edit crosses cells")
        by_cell.setdefault(first, []).append(Replacement(Span(start, end), edit.text))
    written: list[Replacement] = []
    for index, cell_edits in sorted(by_cell.items()):
        written.extend(_cell_edits(notebook.content, notebook.cells[index], cell_edits))
    return tuple(sorted(written, key=lambda edit: edit.span))


def _cell_edits(content: str, cell: CodeCell, edits: list[Replacement]) -> Iterator[Replacement]:
    """Runs of a cell's strings, each replaced by the strings of their new lines."""
    starts = [0]
    for string in cell.strings:
        starts.append(starts[-1] + len(string.value))
    source = cell.source
    escape = _escapes_everything(content)

    def string_at(offset: int) -> int:
        index = 0
        while index + 1 < len(cell.strings) and starts[index + 1] <= offset:
            index += 1
        return index

    runs: list[tuple[int, int, list[Replacement]]] = []
    for edit in edits:
        first, last = string_at(edit.span.start), string_at(edit.span.end)
        if runs and first <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]), [*runs[-1][2], edit])
        else:
            runs.append((first, last, [edit]))
    for first, last, mine in runs:
        begin, end = starts[first], starts[last + 1]
        changed = source[begin:end]
        for edit in reversed(mine):
            changed = (
                changed[: edit.span.start - begin] + edit.text + changed[edit.span.end - begin :]
            )
        span = Span(cell.strings[first].span.start, cell.strings[last].span.end)
        if not cell.listed:
            yield Replacement(span, json.dumps(changed, ensure_ascii=escape))
            continue
        lines = re.findall(r"[^\n]*\n|[^\n]+", changed)
        separator = _separator(content, cell, first)
        yield Replacement(
            span, separator.join(json.dumps(line, ensure_ascii=escape) for line in lines or [""])
        )


def _separator(content: str, cell: CodeCell, index: int) -> str:
    """What stands between two strings of the cell's source in this file."""
    if len(cell.strings) > 1:
        index = max(1, index)
        return content[cell.strings[index - 1].span.end : cell.strings[index].span.start]
    start = cell.strings[0].span.start
    lead = content[content.rfind("[", 0, start) + 1 : start]
    return "," + (lead or " ")


def _escapes_everything(content: str) -> bool:
    return content.isascii() and re.search(r"\\u[0-9a-fA-F]{4}", content) is not None


_STRING_PIECE = re.compile(
    r'\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u.{4}|\\.|[^\\"]'
)


def _written_offsets(content: str, string: SourceString) -> list[int]:
    """For each character of the value and for its end: where it is written in the file."""
    offsets = []
    at = string.span.start + 1
    while at < string.span.end - 1:
        offsets.append(at)
        piece = _STRING_PIECE.match(content, at)
        at = piece.end() if piece is not None else at + 1
    offsets.append(at)
    return offsets


_JSON_TOKEN = re.compile(
    r'[ \t\r\n]*(?:(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")|(?P<mark>[{}\[\],:])|[^\s{}\[\],:"]+)'
)


def _source_strings(content: str) -> dict[int, list[SourceString]]:
    """The strings under `cells[n].source`, by n. `content` is valid JSON."""
    found: dict[int, list[SourceString]] = {}
    path: list[str | int] = []
    wants_key = False
    at = 0
    while (token := _JSON_TOKEN.match(content, at)) is not None:
        at = token.end()
        mark = token["mark"]
        if mark in ("{", "["):
            path.append("" if mark == "{" else 0)
            wants_key = mark == "{"
        elif mark in ("}", "]"):
            path.pop()
            wants_key = False
        elif mark == ",":
            last = path[-1]
            wants_key = isinstance(last, str)
            if isinstance(last, int):
                path[-1] = last + 1
        elif mark == ":":
            wants_key = False
        elif token["string"] is not None:
            if wants_key:
                path[-1] = value = _string(token["string"])
                # Of a key that stands twice in an object the last one counts, as in `json`.
                if path == ["cells"]:
                    found.clear()
                elif len(path) == 3 and path[0] == "cells" and value == "source":
                    if isinstance(path[1], int):
                        found.pop(path[1], None)
            elif len(path) in (3, 4) and path[0] == "cells" and path[2] == "source":
                if isinstance(path[1], int) and (len(path) == 3 or isinstance(path[3], int)):
                    span = Span(token.start("string"), token.end("string"))
                    value = _string(token["string"])
                    found.setdefault(path[1], []).append(SourceString(span, value))
    return found


def _string(written: str) -> str:
    return str(json.loads(written)) if "\\" in written else written[1:-1]
