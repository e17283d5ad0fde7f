"""A text cut where statements of the top level begin, without parsing it.

A chunk begins with a line that has no indentation, outside of strings, after which nothing above can be
continued: of Python, each chunk is whole statements, and parses alone as it does in the text. Only
inside of brackets a line without indentation may be none, which `closing` tells afterwards. Lines of
the texts end at LF only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from jaxref.quick_dataclasses import NamedTuple
from jaxref.source.lines import STATEMENT_ONLY, formatted_end, statements_in

_STARTS = r"\n(?=[^\s#)\]}\\])(?!(?:else|elif|except|finally)\b)"
_LINES = re.compile(rf'#[^\n]*|"""|"|\'\'\'|\'|\\.?|{_STARTS}', re.DOTALL)
_WORDS = "|".join(sorted(STATEMENT_ONLY))
_BRACKETS = re.compile(
    rf'#[^\n]*|"""|"|\'\'\'|\'|\\.?|\n[ \t\f]*(?:{_WORDS})\b|[()\[\]{{}}]', re.DOTALL
)
_STATEMENT = re.compile(rf"(?:{_WORDS})\b")
_PLAIN = {
    '"': re.compile(r'[^"\\\n]*(?:\\.[^"\\\n]*)*"?', re.DOTALL),
    "'": re.compile(r"[^'\\\n]*(?:\\.[^'\\\n]*)*'?", re.DOTALL),
}
_HEADER = re.compile(r"(?:async|class|def|for|if|match|try|while|with)\b")
_INDENTED = re.compile(r"\n[ \t]+[^\s#)\]}]")
_PREFIX = re.compile(r"(?<!\w)[rRbBuUfFtT]{1,2}\Z")
_DEFINITION = re.compile(
    r"\n([ \t]*)(?:(?:async[ ]+)?def[ ]+\w+[ ]*[(\[]|class[ ]+\w+[ ]*[(\[:]|@[^\W\d])"
)


def chunk_starts(code: str) -> list[int]:
    """Where the chunks of `code` begin, the first at 0. A decorator begins the one of what it decorates."""
    return [0, *_starts_after(code, 0)]


def edited_starts(code: str, before: str, starts: list[int], prefix: int, suffix: int) -> list[int]:
    """The `chunk_starts` of `code`, made from those of `before`.

    The texts have the first `prefix` and the last `suffix` characters in common.
    """
    # One more above the edit, as a start rests on the word that stands there.
    found = starts[: max(1, bisect_right(starts, prefix - len("finally ")) - 1)]
    moved = len(code) - len(before)
    for start in _starts_after(code, found[-1]):
        if start >= len(code) - suffix:
            at = bisect_left(starts, start - moved)
            if at < len(starts) and starts[at] == start - moved:
                return [*found, *(it + moved for it in starts[at:])]
        found.append(start)
    return found


def starts_below(code: str, offset: int) -> list[int]:
    """Where chunks begin below the line of `offset`, had that line no quotes."""
    end = code.find("\n", offset)
    return list(_starts_after(code, end)) if end >= 0 else []


def _starts_after(code: str, at: int) -> Iterator[int]:
    is_decorated = code.startswith("@", at)
    for mark, _, end in _marks(_LINES, code, at):
        if mark == "\n":
            if not is_decorated:
                yield end
            is_decorated = code.startswith("@", end)


def has_open_string(code: str, last: int) -> bool:
    """Whether triple quotes are open at the end of `code`, whose last chunk begins at `last`."""
    return any(end < 0 for _, _, end in _marks(_LINES, code, last))


def stray_quotes(code: str, start: int, stop: int) -> int | None:
    """The offset of triple quotes in the chunk from `start` to `stop` that seem to be too many.

    The string that they open is never closed, or holds a definition that is indented no deeper.
    """
    for mark, at, end in _marks(_LINES, code, start):
        if at >= stop:
            break
        if end < 0:
            return at
        if len(mark) == 3 and "\n" in code[at:end]:
            line = code.rfind("\n", 0, at) + 1
            depth = _indentation(code[line:at])
            inside = _DEFINITION.finditer(code, code.index("\n", at), end)
            if any(_indentation(found.group(1)) <= depth for found in inside):
                return at
    return None


def _indentation(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def closing(chunks: Sequence[str], first: int, brackets: dict[int, Brackets]) -> int:
    """The chunk that closes the brackets that chunk `first` leaves open; `first` where none does.

    `brackets` keeps what has been found out about `chunks`.
    """
    depth = _depth_at_end(chunks[first], 0)
    if depth:
        for number in range(first + 1, len(chunks)):
            if number not in brackets:
                brackets[number] = _brackets_of(chunks[number])
            around = brackets[number]
            if depth + around.lowest <= 0:
                depth = _depth_at_end(chunks[number], depth)
                if not depth:
                    return number
            elif around.has_statement:
                break
            else:
                depth += around.added
    return first


def hangs(chunk: str) -> bool:
    """Whether `chunk` begins with a line without indentation to which the deeper one below it cannot belong.

    As it is where that line stands in the middle of a block.
    """
    statements = statements_in(chunk, 0)
    first, second = next(statements, None), next(statements, None)
    if first is None or second is None:
        return False
    is_header = chunk[first.end] == ":" and _HEADER.match(chunk, first.start) is not None
    return not is_header and chunk[second.start - 1] in " \t"


def has_block(chunk: str) -> bool:
    """Whether `chunk` may end with a block."""
    return _INDENTED.search(chunk) is not None or chunk.rstrip().endswith(":")


class Brackets(NamedTuple):
    """How deep in brackets, counted from its start, a chunk gets until a statement surely begins."""

    lowest: int
    added: int
    has_statement: bool


def _brackets_of(chunk: str) -> Brackets:
    depth = lowest = 0
    if not _STATEMENT.match(chunk):
        for mark, _, _ in _marks(_BRACKETS, chunk, 0):
            if mark in "([{":
                depth += 1
            elif mark in ")]}":
                depth -= 1
                lowest = min(lowest, depth)
            elif mark[0] == "\n":
                break
        else:
            return Brackets(lowest, depth, False)
    return Brackets(lowest, depth, True)


def _depth_at_end(chunk: str, depth: int) -> int:
    """How many brackets are open, from `depth` on; those in which a statement surely begins are given up."""
    for mark, _, _ in _marks(_BRACKETS, chunk, 0):
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(0, depth - 1)
        elif mark[0] == "\n":
            depth = 0
    return depth


def _marks(pattern: re.Pattern[str], code: str, at: int) -> Iterator[tuple[str, int, int]]:
    """What `pattern` finds outside of strings and comments from `at` on, with its start and end.

    Strings in triple quotes are among it; the end is -1 where one is open, and it is the last then.
    """
    search = pattern.search
    while found := search(code, at):
        mark = found.group()
        start, at = found.span()
        if mark[0] in "\"'":
            at = _string_end(code, start, mark)
            if len(mark) == 1:
                continue
            yield mark, start, at
            if at < 0:
                return
        elif mark[0] not in "#\\":
            yield mark, start, at


def _string_end(code: str, start: int, quote: str) -> int:
    """The offset behind the string whose quote stands at `start`; -1 where triple quotes are open."""
    at = start + len(quote)
    if start and code[start - 1] in "fFtTrR" and _is_formatted(code, start):
        end = formatted_end(code, at, quote, 0)
        return -1 if len(quote) == 3 and not code.endswith(quote, at, end) else end
    if len(quote) == 1:
        match = _PLAIN[quote].match(code, at)
        assert match is not None
        return match.end()
    while (end := code.find(quote, at)) >= 0:
        backslashes = end
        while backslashes > at and code[backslashes - 1] == "\\":
            backslashes -= 1
        if (end - backslashes) % 2 == 0:
            return end + len(quote)
        at = end + 1
    return -1


def _is_formatted(code: str, quote: int) -> bool:
    prefix = _PREFIX.search(code, max(0, quote - 3), quote)
    return prefix is not None and any(char in "fFtT" for char in prefix.group())
