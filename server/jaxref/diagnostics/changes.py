"""What a fix changes, as lines before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxref.fixes.model import Edit
from jaxref.source.documents import Document
from jaxref.source.text import Replacement, Span, replaced


def changed_texts(document: Document, edits: Sequence[Edit]) -> Iterator[tuple[str, str]]:
    """The shown texts (of a notebook: the cells) that `edits` change, before and after."""
    if document.notebook is None or not document.notebook.cells:
        try:
            edited = document.file_edits([Replacement(edit.span, edit.text) for edit in edits])
        except ValueError:
            return
        yield document.source.content, replaced(document.source.content, edited)
        return
    by_cell: dict[int, list[Replacement]] = {}
    for edit in edits:
        cell, start = document.notebook.joined.cell_at(edit.span.start)
        _, end = document.notebook.joined.cell_at(edit.span.end)
        by_cell.setdefault(cell, []).append(Replacement(Span(start, end), edit.text))
    for cell, mine in sorted(by_cell.items()):
        source = document.notebook.cells[cell].source
        yield source, replaced(source, mine)


def hunk(before: str, after: str, context: int) -> Iterator[tuple[str, int, str]]:
    """The lines that differ as (sign, number from 1, line); the number is that of its own text.

    The sign is `-` or `+`, a space for an unchanged line, or `.` where unchanged ones are left out.

    Only what lies between the first and the last difference is compared, so this takes time by the
    size of the change and not by that of the file.
    """
    old, new = before.splitlines(), after.splitlines()
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    for number in range(max(0, head - context), head):
        yield " ", number + 1, old[number]
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    for tag, old_start, old_end, new_start, new_end in _opcodes(old_middle, new_middle):
        if tag == "equal":
            size = old_end - old_start
            for offset in range(size):
                if size > 2 * context + 1 and context <= offset < size - context:
                    if offset == context:
                        yield ".", 0, ""
                else:
                    yield " ", head + new_start + offset + 1, new_middle[new_start + offset]
            continue
        for index in range(old_start, old_end):
            yield "-", head + index + 1, old_middle[index]
        for index in range(new_start, new_end):
            yield "+", head + index + 1, new_middle[index]
    end = len(new) - tail
    for number in range(end, min(len(new), end + context)):
        yield " ", number + 1, new[number]


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if not set(old) & set(new):
        # Nothing to find, for which `difflib` need not be imported.
        return [("replace", 0, len(old), 0, len(new))]
    import difflib

    return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
