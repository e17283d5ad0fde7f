"""`jaxref reveal`: what jaxref knows of the values in a file."""

from __future__ import annotations

import argparse
import json
import os
import re
from bisect import bisect_left
from collections.abc import Sequence

from jaxref import engine
from jaxref.cli.choices import Choices, complain, overrides_of
from jaxref.cli.deep import on_big_stack
from jaxref.cli.loading import load, standard_input
from jaxref.diagnostics.report import stretch_of
from jaxref.diagnostics.terminal import shown
from jaxref.engine import Analysis, Described, Snapshot
from jaxref.quick_dataclasses import NamedTuple
from jaxref.source.documents import Document, document_of, kind_of
from jaxref.source.reading import Unreadable
from jaxref.source.text import Text
from jaxref.targets import STANDARD_INPUT, Target, shown_path


def reveal(options: argparse.Namespace) -> int:
    """Print what is known, a line a value. Returns the exit code."""
    return on_big_stack(lambda: _reveal(options))


def _reveal(options: argparse.Namespace) -> int:
    place = _place(options.place)
    target = standard_input(None) if place.path == STANDARD_INPUT else None
    if target is None:
        absolute = os.path.abspath(place.path)
        target = Target(absolute, shown_path(absolute), kind=kind_of(absolute) or "module")
    choices = Choices(overrides_of(options), options.config)
    try:
        loaded = load(target)
        document = document_of(loaded.file.content, loaded.kind)
    except Unreadable as error:
        complain(f"error: {place.path}: {error}")
        return 2
    mistake = _mistake(document, place)
    if mistake is not None:
        complain(f"error: {place.path}: {mistake}")
        return 2
    settings = choices.of_file(target.path)
    analysis = engine.analyse(Snapshot(target.path, document.module.content), settings)
    found = _described(document, analysis, place)
    if options.output_format == "json":
        print(json.dumps([_record(document, described) for described in found], indent=2))
    else:
        for described in found:
            where = stretch_of(target.shown, document, described.span)
            print(f"{where}: {_line(document, described)}")
        if not found:
            complain("nothing is known there")
    return 2 if choices.failed else 0


def _line(document: Document, described: Described) -> str:
    """What is known, after the expression of which it is known."""
    code = " ".join(document.module.slice(described.span).split())
    if described.line.startswith(code):
        return shown(described.line)
    if len(code) > _LONGEST_CODE:
        code = code[: _LONGEST_CODE - 1] + "…"
    return shown(f"{code}: {described.line}")


_LONGEST_CODE = 60


class _Place(NamedTuple):
    """Where to look, all counted from 1; with a `cell`, the line is one of the cell."""

    path: str
    cell: int | None = None
    line: int | None = None
    column: int | None = None


def _place(written: str) -> _Place:
    """What `FILE[:cell N][:LINE[:COLUMN]]` means; a file that is called so wins."""
    if os.path.exists(written):
        return _Place(written)
    parts = re.fullmatch(r"(.+?)(?::cell (\d+))?(?::(\d+)(?::(\d+))?)?:?", written)
    if parts is None or not any(parts.groups()[1:]):
        return _Place(written)
    cell, line, column = (int(part) if part else None for part in parts.groups()[1:])
    return _Place(parts[1], cell, line, column)


def _mistake(document: Document, place: _Place) -> str | None:
    """Why there is no such place in the document."""
    text = document.source
    name = "it"
    if place.cell is not None:
        index = _cell_index(document, place.cell)
        if index is None or document.notebook is None:
            return f"it has no code cell {place.cell}"
        text = Text(document.notebook.cells[index].source)
        name = f"its cell {place.cell}"
    if place.line is not None and not 1 <= place.line <= text.line_count():
        return f"{name} has no line {place.line}"
    return None


def _cell_index(document: Document, number: int) -> int | None:
    """The index among the code cells of the cell that is the given one of all."""
    cells = document.notebook.cells if document.notebook is not None else ()
    return next((index for index, cell in enumerate(cells) if cell.number == number), None)


def _described(document: Document, analysis: Analysis, place: _Place) -> Sequence[Described]:
    if place.line is None or place.column is None:
        return [one for one in analysis.described() if _touches(document, one, place)]
    offset = _offset(document, place, place.line, place.column)
    for described in analysis.described():
        if offset is not None and described.span.start <= offset < described.span.end:
            exact = analysis.describe(offset)
            return [exact if exact is not None else described]
    exact = None if offset is None else analysis.describe(offset)
    return [] if exact is None else [exact]


def _offset(document: Document, place: _Place, line: int, column: int) -> int | None:
    """The module's offset of a place with line and column; None where no code is."""
    if place.cell is not None and document.notebook is not None:
        index = _cell_index(document, place.cell)
        assert index is not None
        inside = Text(document.notebook.cells[index].source).offset(line, column)
        return document.notebook.joined.offset_of(index, inside)
    wanted = document.source.offset(line, column)
    if document.source is document.module:
        return wanted
    size = len(document.module.content)
    # File offsets grow with the module's.
    offset = bisect_left(range(size), wanted, key=document.file_offset)
    return offset if offset < size and document.file_offset(offset) == wanted else None


def _touches(document: Document, described: Described, place: _Place) -> bool:
    """Whether something is in the cell and on the line of a place, as far as it has these."""
    first, last = described.span.start, max(described.span.start, described.span.end - 1)
    if place.cell is not None:
        start, end = document.place(first), document.place(last)
        if start.cell != place.cell:
            return False
        return place.line is None or start.line <= place.line <= end.line
    if place.line is None:
        return True
    return document.file_position(first).line <= place.line <= document.file_position(last).line


def _record(document: Document, described: Described) -> dict[str, object]:
    where = stretch_of("", document, described.span)
    return {
        "start": {"line": where.start.line, "column": where.start.column},
        "end": {"line": where.end.line, "column": where.end.column},
        "cell": where.start.cell,
        "kind": described.kind,
        "line": described.line,
        "markdown": described.markdown,
    }
