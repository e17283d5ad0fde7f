"""`jaxref reveal`: what jaxref knows of the values in a file."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Sequence

from jaxref import engine
from jaxref.cli.checking import load, standard_input
from jaxref.cli.choices import Choices, complain, overrides_of
from jaxref.cli.deep import on_big_stack
from jaxref.cli.files import STANDARD_INPUT, Target, shown_path
from jaxref.diagnostics.terminal import shown
from jaxref.engine import Analysis, Described, Snapshot
from jaxref.source.documents import Document, document_of
from jaxref.source.reading import Unreadable


def reveal(options: argparse.Namespace) -> int:
    """Print what is known, a line a value. Returns the exit code."""
    return on_big_stack(lambda: _reveal(options))


def _reveal(options: argparse.Namespace) -> int:
    path, line, column = _place(options.place)
    target = standard_input(None) if path == STANDARD_INPUT else None
    if target is None:
        absolute = os.path.abspath(path)
        target = Target(absolute, shown_path(absolute))
    choices = Choices(overrides_of(options), options.config)
    try:
        loaded = load(target)
        document = document_of(loaded.file.content, loaded.kind)
    except Unreadable as error:
        complain(f"error: {path}: {error}")
        return 2
    settings = choices.of_file(target.path)
    analysis = engine.analyse(Snapshot(target.path, document.module.content), settings)
    if line is not None and line > document.source.line_count():
        complain(f"error: {path}: it has no line {line}")
        return 2
    found = _described(document, analysis, line, column)
    name = target.shown
    if options.output_format == "json":
        print(json.dumps([_record(document, described) for described in found], indent=2))
    else:
        for described in found:
            at, of = document.file_position(described.span.start)
            print(f"{name}:{at}:{of}: {_line(document, described)}")
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


def _place(written: str) -> tuple[str, int | None, int | None]:
    """Path, line and column of `FILE[:LINE[:COLUMN]]`; a file that is called so wins."""
    if os.path.exists(written):
        return written, None, None
    parts = re.fullmatch(r"(.+?):(\d+)(?::(\d+))?:?", written)
    if parts is None:
        return written, None, None
    return parts[1], int(parts[2]), int(parts[3]) if parts[3] else None


def _described(
    document: Document, analysis: Analysis, line: int | None, column: int | None
) -> Sequence[Described]:
    if line is not None and column is not None:
        wanted = document.source.offset(line, column)
        for described in analysis.described():
            if (
                document.file_offset(described.span.start)
                <= wanted
                < document.file_offset(described.span.end)
            ):
                at = wanted - document.file_offset(described.span.start) + described.span.start
                exact = analysis.describe(at)
                return [exact if exact is not None else described]
        exact = analysis.describe(wanted) if document.source is document.module else None
        return [] if exact is None else [exact]
    return [
        described
        for described in analysis.described()
        if line is None or _covers(document, described, line)
    ]


def _covers(document: Document, described: Described, line: int) -> bool:
    first = document.file_position(described.span.start).line
    last = document.file_position(max(described.span.start, described.span.end - 1)).line
    return first <= line <= last


def _record(document: Document, described: Described) -> dict[str, object]:
    start = document.file_position(described.span.start)
    end = document.file_position(described.span.end)
    return {
        "start": {"line": start.line, "column": start.column},
        "end": {"line": end.line, "column": end.column},
        "kind": described.kind,
        "line": described.line,
        "markdown": described.markdown,
    }
