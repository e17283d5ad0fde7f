"""The tree of an edited text, made from that of the text before: what an edit leaves alone is kept.

A statement of the top level that stands where it stood keeps its nodes, and what is known of them.
Parsed are the statements around the edit, or all from there on where the number of lines changed,
since nodes hold the numbers of their lines. `ast` takes 20 ms for 3,000 lines.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right

from jaxref.source.text import Text

_SMALLEST = 2000
"""Characters. A shorter text is parsed as quickly as compared."""


def reparsed(code: str, before: str, tree: ast.Module) -> ast.Module | None:
    """The tree of `code`, from the `tree` of `before`; None where only parsing all of it tells.

    It is the one that `ast` makes, and shares nodes with `tree`. Raises as `ast.parse` does.
    """
    size = min(len(code), len(before))
    if size < _SMALLEST or "\r" in code or "\f" in code:
        return None
    prefix = _common_start(code, before, size)
    suffix = _common_end(code, before, size - prefix)
    if 2 * (prefix + suffix) < size:
        return None
    statements = tree.body
    starts = [_first_line(statement) for statement in statements]
    # Lines that the edit touches, in both texts.
    first = code.count("\n", 0, prefix) + 1
    last = first + code.count("\n", prefix, len(code) - suffix)
    last_before = first + before.count("\n", prefix, len(before) - suffix)
    # One more above: what follows a statement may be a part of it, as `else` is.
    above = max(0, bisect_left(statements, first, key=_last_line) - 1)
    while above and _last_line(statements[above - 1]) >= starts[above]:
        above -= 1
    start_line = starts[above] if above else 1
    start = _line_start(code, prefix, first, start_line)
    below, end = len(statements), len(code)
    if last == last_before:
        below = bisect_right(starts, last)
        while 0 < below < len(statements) and _last_line(statements[below - 1]) >= starts[below]:
            below += 1
        if below < len(statements):
            end = _line_start(code, len(code) - suffix, last, starts[below])
            if code[start:end].rstrip().endswith("\\"):
                return None
    edited = ast.parse("\n" * (start_line - 1) + code[start:end])
    return ast.Module([*statements[:above], *edited.body, *statements[below:]], [])


def statement_texts(text: str, tree: ast.Module) -> list[str]:
    """The text of each statement of the top level of `tree`, the tree made of `text`.

    They are whole lines, with decorators and with comments in and behind them; statements that
    share a line are cut from each other. Equal texts are equal statements but for their places.
    """
    lines = Text(text)
    starts = lines.line_starts
    statements = tree.body
    cut = [lines.ast_offset(it.lineno, it.col_offset) if it.col_offset else 0 for it in statements]
    texts = []
    for number, statement in enumerate(statements):
        start = cut[number] or starts[_first_line(statement) - 1]
        last = _last_line(statement)
        end = starts[last] if last < len(starts) else len(text)
        if number + 1 < len(statements) and cut[number + 1]:
            end = min(end, cut[number + 1])
        texts.append(text[start:end])
    return texts


def _common_start(a: str, b: str, size: int) -> int:
    """How many characters, of `size`, two texts have in common from their start."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(a: str, b: str, size: int) -> int:
    """How many characters, of `size`, two texts have in common at their end."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _line_start(code: str, offset: int, line: int, wanted: int) -> int:
    """Where the line `wanted` starts, counted from the line that holds `offset`."""
    at = code.rfind("\n", 0, offset) + 1
    for _ in range(line, wanted):
        at = code.index("\n", at) + 1
    for _ in range(wanted, line):
        at = code.rfind("\n", 0, at - 1) + 1
    return at


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", None)
    # A decorator stands above the line of `def`, and its `@` may stand above it.
    return decorators[0].lineno if decorators else statement.lineno


def _last_line(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno
