"""Notebook cells to Python: what IPython adds to the language is blanked, the cells are joined."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from jaxref.quick_dataclasses import dataclass
from jaxref.source.lines import statements_in
from jaxref.source.parsing import parse
from jaxref.source.text import Span, Text

RAISING_TAG = "raises-exception"
"""The tag with which Jupyter and MyST mark a cell that is meant to fail."""


@dataclass(frozen=True, slots=True)
class PlainCell:
    """A cell without IPython's additions: as many characters, in the same lines.

    `may_define` is True when something blanked may have defined names, as `%run` does.
    """

    code: str
    may_define: bool = False


@dataclass(frozen=True, slots=True)
class JoinedCells:
    """Several cells as one module. Cells count from 0, offsets are code points from 0."""

    module: str
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    may_define: bool = False

    def cell_at(self, offset: int) -> tuple[int, int]:
        """The cell that holds `offset` of the module, and the offset in it."""
        cell = max(0, bisect_right(self.starts, offset) - 1)
        return cell, max(0, min(offset - self.starts[cell], self.lengths[cell]))

    def offset_of(self, cell: int, offset: int) -> int:
        """The module's offset of `offset` in `cell`, clamped to the cell."""
        return self.starts[cell] + max(0, min(offset, self.lengths[cell]))

    def span_of(self, cell: int) -> Span:
        """The module's span of `cell`."""
        return Span(self.starts[cell], self.starts[cell] + self.lengths[cell])


def join_cells(cells: Sequence[str]) -> JoinedCells:
    """The code `cells`, in order, as one module."""
    plain = [plain_cell(cell) for cell in cells]
    starts: list[int] = []
    at = 0
    for cell in plain:
        starts.append(at)
        at += len(cell.code) + 1
    return JoinedCells(
        "".join(cell.code + "\n" for cell in plain),
        tuple(starts),
        tuple(len(cell.code) for cell in plain),
        any(cell.may_define for cell in plain),
    )


def plain_cell(cell: str) -> PlainCell:
    """`cell` with magics, shell lines and help requests blanked."""
    head = 0
    while (opening := _CELL_MAGIC.match(cell, head)) is not None:
        name = opening["name"]
        if name not in _PYTHON_CELL_MAGICS:
            return PlainCell(_blank(cell), name not in _HARMLESS)
        head = opening.end()
    rest = _without_line_magics(cell[head:])
    return PlainCell(_blank(cell[:head]) + rest.code, rest.may_define)


def _without_line_magics(cell: str) -> PlainCell:
    if not _MAYBE_MAGIC.search(cell) or not parse(cell).errors:
        return PlainCell(cell)
    may_define = False
    # A stand-in keeps the lines and their lengths, but brackets and quotes in a magic are gone with
    # it: from there on the cell is scanned anew.
    text = Text(cell)
    begin = passed = 0
    while True:
        for statement in statements_in(cell, begin):
            last = text.line_index(statement.start)
            span = text.line_span(last)
            magic = _LINE_MAGIC.match(cell[span.start : span.end]) if span.start >= passed else None
            if magic is not None:
                break
        else:
            return PlainCell(cell, may_define)
        while cell.endswith("\\", *text.line_span(last)) and last + 1 < text.line_count():
            last += 1
        line = Span(span.start, text.line_span(last).end)
        may_define = may_define or _may_define(magic)
        stand_in = _stand_in(cell[line.start : line.end], magic)
        cell = cell[: line.start] + stand_in + cell[line.end :]
        begin, passed = span.start, span.start + 1


_CELL_MAGIC = re.compile(r"[ \t\r\n]*%%(?P<name>\w+|!)[^\r\n]*")
_PYTHON_CELL_MAGICS = frozenset(
    ["time", "timeit", "capture", "prun", "python", "python3", "snakeviz"]
)
_MAYBE_MAGIC = re.compile(r"[%!?]")
_LINE_MAGIC = re.compile(
    r"""(?P<indent>[ \t]*)
        (?: (?P<time>%time(?:it)?[ ]+)(?=[^\W\d])
          | %(?P<name>\w+) | (?P<shell>!) | (?P<help>\?)
          | (?P<target>[^\W\d][\w.,\[\] \t]*+=[ \t]*+)(?:%(?P<assigned>\w+)|(?P<output>!))
          | (?P<asked>[^#'"]*\?[ \t]*$)
        )""",
    re.VERBOSE,
)
_HARMLESS = frozenset(
    [
        "alias",
        "autoreload",
        "autosave",
        "bash",
        "bookmark",
        "cd",
        "clear",
        "colors",
        "conda",
        "config",
        "debug",
        "dirs",
        "doctest_mode",
        "env",
        "file",
        "history",
        "html",
        "javascript",
        "js",
        "latex",
        "load_ext",
        "ls",
        "lsmagic",
        "magic",
        "man",
        "markdown",
        "matplotlib",
        "notebook",
        "page",
        "pdb",
        "pdef",
        "pdoc",
        "perl",
        "pfile",
        "pinfo",
        "pinfo2",
        "pip",
        "popd",
        "pprint",
        "precision",
        "prun",
        "psearch",
        "psource",
        "pushd",
        "pwd",
        "pycat",
        "quickref",
        "reload_ext",
        "ruby",
        "save",
        "sh",
        "script",
        "set_env",
        "svg",
        "sx",
        "system",
        "tb",
        "time",
        "timeit",
        "unload_ext",
        "uv",
        "who",
        "who_ls",
        "whos",
        "writefile",
        "xmode",
        "!",
    ]
)
"""Magics that define no names of the user's."""


def _may_define(magic: re.Match[str]) -> bool:
    return bool(magic["name"]) and magic["name"] not in _HARMLESS


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)


def _stand_in(line: str, magic: re.Match[str]) -> str:
    """Python of the same length for `line`, which may span lines: a value nobody knows, or nothing."""
    if magic["time"]:
        head = magic.end("time")
        return magic["indent"] + "0;".ljust(head - len(magic["indent"])) + line[head:]
    if magic["target"]:
        head = magic.end("target")
        return line[:head] + "_" + _blank(line[head + 1 :])
    indent = len(magic["indent"])
    body = line[indent:]
    word = "pass" if len(re.split(r"[\r\n]", body)[0]) >= 4 else "0"
    return line[:indent] + word + _blank(body[len(word) :])
