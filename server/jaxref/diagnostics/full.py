"""The rendering for people: source, carets, reasons, and the best fix as a diff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jaxref.diagnostics.changes import changed_texts, hunk
from jaxref.diagnostics.model import Severity
from jaxref.diagnostics.report import Finding, Note
from jaxref.diagnostics.terminal import Style, shown, width_of, wrapped
from jaxref.quick_dataclasses import dataclass
from jaxref.source.documents import Document
from jaxref.source.text import Span, Text

_COLOURS: dict[Severity, str] = {
    "error": "red",
    "warning": "yellow",
    "info": "blue",
    "hint": "cyan",
}


@dataclass(frozen=True, slots=True)
class _Mark:
    """A span to underline in one shown text."""

    span: Span
    label: str
    primary: bool


def as_full(findings: Iterable[Finding], style: Style, width: int = 100) -> str:
    """Each finding with the lines it speaks of. `width` is that of the terminal, in columns."""
    return "\n".join(_rendered(finding, style, width) for finding in findings)


def as_concise(findings: Iterable[Finding], style: Style) -> str:
    """A line a finding: `path:line:column: severity[rule] message`."""
    return "".join(
        f"{style.paint(shown(str(finding.where)), 'bold')}: "
        f"{_kind(finding, style)} {shown(finding.message)}\n"
        for finding in findings
    )


def _kind(finding: Finding, style: Style) -> str:
    rule = style.link(finding.rule, finding.url)
    return style.paint(f"{finding.severity}[{rule}]", "bold", _COLOURS[finding.severity])


def _rendered(finding: Finding, style: Style, width: int) -> str:
    own = [note for note in finding.notes if _same_text(finding, note)]
    others = [note for note in finding.notes if not _same_text(finding, note)]
    text, start = finding.document.shown_lines(finding.span.start)
    marks = [_Mark(_shown_span(finding.document, finding.span, start), "", True)]
    for note in own:
        _, note_start = finding.document.shown_lines(note.span.start)
        span = _shown_span(finding.document, note.span, note_start)
        marks.append(_Mark(span, note.message, False))
    gutter = _gutter_width(
        [finding.where.end.line, *(note.where.end.line for note in finding.notes)]
    )
    bar = style.paint("|", "blue", "bold")
    head, *more = [shown(finding.message)]
    if style.wrap:
        used = len(f"{finding.severity}[{finding.rule}]: ")
        head, *more = wrapped(head, width, used, _INDENT)
    lines = [
        f"{_kind(finding, style)}{style.paint(':', 'bold')} {style.paint(head, 'bold')}",
        *(" " * _INDENT + style.paint(line, "bold") for line in more),
    ]
    arrow = style.paint("-->", "blue", "bold")
    lines.append(f"{' ' * gutter}{arrow} {shown(str(finding.where))}")
    lines.append(f"{' ' * gutter} {bar}")
    lines.extend(_snippet(text, marks, _COLOURS[finding.severity], gutter, style, width))
    for note in others:
        lines.append(f"{' ' * gutter}{style.paint(':::', 'blue', 'bold')} {shown(str(note.where))}")
        if note.document is None:
            lines.append(f"{' ' * gutter} {style.paint('=', 'blue', 'bold')} {shown(note.message)}")
            continue
        other_text, other_start = note.document.shown_lines(note.span.start)
        mark = _Mark(_shown_span(note.document, note.span, other_start), note.message, False)
        lines.append(f"{' ' * gutter} {bar}")
        lines.extend(_snippet(other_text, [mark], "blue", gutter, style, width))
    lines.append(f"{' ' * gutter} {bar}")
    lines.extend(_help(finding, gutter, style))
    return "\n".join(lines) + "\n"


_INDENT = 2
"""Columns before the further lines of a message."""


def _same_text(finding: Finding, note: Note) -> bool:
    return note.document is finding.document and note.where.start.cell == finding.where.start.cell


def _shown_span(document: Document, span: Span, start: int) -> Span:
    text, end = document.shown_lines(span.end)
    del text
    return Span(start, max(start, end))


def _gutter_width(numbers: Sequence[int]) -> int:
    return max(len(str(number + 1)) for number in numbers)


_CONTEXT = 1
_LONGEST_MARK = 6
"""Lines; of a longer mark only the first and the last are shown."""


def _snippet(
    text: Text, marks: list[_Mark], colour: str, gutter: int, style: Style, width: int
) -> Iterator[str]:
    """The marked lines of `text` with a line around them, a gap between distant ones."""
    wanted: set[int] = set()
    by_line: dict[int, list[tuple[_Mark, Span, bool]]] = {}
    for mark in marks:
        first = text.line_index(mark.span.start)
        last = text.line_index(max(mark.span.start, mark.span.end - 1))
        marked = list(range(first, last + 1))
        if len(marked) > _LONGEST_MARK:
            marked = [first, last]
        for line in marked:
            body = text.line_span(line)
            start = max(body.start, mark.span.start) if line == first else _code_start(text, body)
            end = min(body.end, mark.span.end)
            by_line.setdefault(line, []).append((mark, Span(start, end), line == marked[-1]))
            near = range(line - _CONTEXT, line + _CONTEXT + 1)
            wanted.update(number for number in near if 0 <= number < text.line_count())
    for line in sorted(wanted - by_line.keys()):
        # A blank line at the edge of what is shown shows nothing.
        between = line - 1 in wanted and line + 1 in wanted
        if not between and not text.slice(text.line_span(line)).strip():
            wanted.discard(line)
    bar = style.paint("|", "blue", "bold")
    room = max(20, width - gutter - 3)
    previous: int | None = None
    for line in sorted(wanted):
        if previous is not None and line > previous + 1:
            yield style.paint("...", "blue", "bold")
        previous = line
        body = text.line_span(line)
        here = sorted(by_line.get(line, ()), key=lambda item: (item[1], not item[0].primary))
        number = style.paint(str(line + 1).rjust(gutter), "blue", "bold")
        for together in _seen_together(text, body, here, room):
            left = _first_shown(text, body, together, room)
            code = shown(text.content[left : body.end])
            if left > body.start:
                code = "…".ljust(width_of(code[0])) + code[1:]
            yield f"{number} {bar} {_cut(code, room)}".rstrip()
            for mark, span, is_last in together:
                lead = width_of(shown(text.content[left : max(left, span.start)]))
                size = max(1, width_of(shown(text.slice(span))))
                sign = ("^" if mark.primary else "-") * min(size, max(1, room - lead))
                label = f" {shown(mark.label)}" if mark.label and is_last else ""
                painted = style.paint(sign + label, "bold", colour if mark.primary else "blue")
                yield f"{' ' * gutter} {bar} {' ' * lead}{painted}"


def _code_start(text: Text, body: Span) -> int:
    code = text.slice(body)
    return body.start + len(code) - len(code.lstrip())


def _seen_together(
    text: Text, body: Span, marks: list[tuple[_Mark, Span, bool]], room: int
) -> list[list[tuple[_Mark, Span, bool]]]:
    """The marks of a line in groups that begin in the same part of it; a long line is shown for each."""
    groups: list[list[tuple[_Mark, Span, bool]]] = []
    left = body.start
    for item in marks:
        lead = width_of(shown(text.content[left : item[1].start]))
        if not groups or lead >= room - _LEAST_SEEN:
            groups.append([item])
            left = _first_shown(text, body, [item], room)
        else:
            groups[-1].append(item)
    return groups or [[]]


_LEAST_SEEN = 4
"""Columns of a mark that are seen of one that goes on behind the right edge."""


def _first_shown(text: Text, body: Span, marks: list[tuple[_Mark, Span, bool]], room: int) -> int:
    """Where the shown part of a line begins: at its start unless its marks would not be seen."""
    if not marks:
        return body.start
    end = max(span.end for _, span, _ in marks)
    if width_of(shown(text.content[body.start : end])) <= room:
        return body.start
    start = min(span.start for _, span, _ in marks)
    left = max(body.start, start - room // 4)
    # An ellipsis takes the place of the first character: of one that has a place.
    while left > body.start and width_of(shown(text.content[left])) == 0:
        left -= 1
    return left


def _cut(code: str, room: int) -> str:
    if width_of(code) <= room:
        return code
    made, taken = [], 0
    for char in code:
        taken += width_of(char)
        if taken > room - 1:
            break
        made.append(char)
    return "".join(made) + "…"


def _help(finding: Finding, gutter: int, style: Style) -> Iterator[str]:
    """The first fix as a diff, whole so that it can be copied; the others by title."""
    for index, remedy in enumerate(finding.remedies):
        word = style.paint("help", "bold", "cyan") if index == 0 else style.paint("  or", "cyan")
        doubt = {"safe": "", "unsafe": " (unsafe fix)", "display": " (to be done by hand)"}
        yield f"{word}: {shown(remedy.title)}{doubt[remedy.applicability]}"
        if index > 0:
            continue
        bar = style.paint("|", "blue", "bold")
        for before, after in changed_texts(finding.document, remedy.edits):
            yield f"{' ' * gutter} {bar}"
            for sign, number, line in hunk(before, after, 1):
                if sign == ".":
                    yield style.paint("...", "blue", "bold")
                    continue
                shown_line = shown(line)
                shown_number = str(number).rjust(gutter)
                if sign == " ":
                    yield f"{style.paint(shown_number, 'dim')} {bar}   {shown_line}".rstrip()
                else:
                    colour = "green" if sign == "+" else "red"
                    painted = style.paint(f"{sign} {shown_line}".rstrip(), colour)
                    yield f"{style.paint(shown_number, 'dim')} {bar} {painted}"
            yield f"{' ' * gutter} {bar}"
