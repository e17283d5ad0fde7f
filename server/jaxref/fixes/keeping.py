"""What every fix keeps, whatever it changes: the layout and the comments around it, and the syntax."""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from jaxref.fixes.model import Edit
from jaxref.fixes.program import Program
from jaxref.quick_dataclasses import NamedTuple
from jaxref.source.parsing import parse
from jaxref.source.text import Span, replaced
from jaxref.source.walking import first_line


class Word(NamedTuple):
    """A token of an expression and its place in the text."""

    string: str
    start: int
    end: int


_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


class Tokens(NamedTuple):
    """The tokens of a part of a statement, and its comments; up to where it could be read unless `whole`."""

    words: list[Word]
    comments: list[Word]
    whole: bool


def tokens_of(text: str) -> Tokens:
    """Take a part of a statement apart."""
    source = f"({text}\n)"
    starts = [0]
    for line in io.StringIO(source, newline="\n"):
        starts.append(starts[-1] + len(line))
    words: list[Word] = []
    comments: list[Word] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source, newline="\n").readline):
            if token.type in _LAYOUT:
                continue
            start = starts[token.start[0] - 1] + token.start[1] - 1
            word = Word(token.string, start, start + len(token.string))
            if token.type == tokenize.COMMENT:
                comments.append(word)
            elif 0 <= start < len(text):
                words.append(word)
    except (tokenize.TokenError, SyntaxError, SystemError):
        # Brackets that the text does not open or close.
        return Tokens(words, comments, False)
    return Tokens(words, comments, True)


def smallest(text: str, span: Span, new: str) -> tuple[list[Edit], list[str]]:
    """Edits that put `new` in the place of `span` and leave alone what the two have in common.

    The second are the comments that go. What cannot be taken apart is replaced as a whole.
    """
    old = text[span.start : span.end]
    if "#" not in old and "\n" not in old and "\r" not in old:
        return [Edit(span, new)], []
    given, wanted = tokens_of(old), tokens_of(new)
    if given.whole and wanted.whole and wanted.words and old.strip() == old:
        edits = [
            Edit(Span(span.start + start, span.start + end), put)
            for start, end, put in _differences(old, given.words, new, wanted.words)
        ]
        if _is_held(old) and not _is_held(_applied(old, span, edits)):
            edits = [Edit(span, new)]
    else:
        # Whole lines, with their ends, or what opens a bracket.
        edits = [Edit(span, new)]
    gone = [
        comment.string
        for comment in given.comments
        if any(
            edit.span.start <= span.start + comment.start < edit.span.end
            and comment.string not in edit.text
            for edit in edits
        )
    ]
    return edits, gone


def _applied(old: str, span: Span, edits: Sequence[Edit]) -> str:
    shifted = [
        (Span(edit.span.start - span.start, edit.span.end - span.start), edit.text)
        for edit in edits
    ]
    return replaced(old, shifted)


def _is_held(text: str) -> bool:
    """True when brackets in `text` hold all its lines together."""
    found = tokens_of(text)
    depth = end = 0
    for word in found.words:
        if not depth and ("\n" in text[end : word.start] or "\r" in text[end : word.start]):
            return False
        depth += (word.string in "([{") - (word.string in ")]}")
        end = word.end
    return found.whole


def _differences(
    old: str, before: Sequence[Word], new: str, after: Sequence[Word]
) -> Iterator[tuple[int, int, str]]:
    # Only fixes of what spans several lines need it.
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(
        None, [word.string for word in before], [word.string for word in after], autojunk=False
    )
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            continue
        if tag == "replace":
            yield before[i].start, before[j - 1].end, new[after[k].start : after[m - 1].end]
        elif tag == "insert" and i:
            at = before[i - 1].end
            yield at, at, new[after[k - 1].end : after[m - 1].end]
        elif tag == "insert":
            at = before[0].start if before else 0
            yield at, at, new[after[k].start : after[m].start if m < len(after) else len(new)]
        elif i and "#" not in old[before[i - 1].end : before[i].start]:
            yield before[i - 1].end, before[j - 1].end, ""
        else:
            yield before[i].start, before[j - 1].end, ""


def still_parses(program: Program, edits: Sequence[Edit]) -> bool:
    """True when every function and statement that `edits` change can be parsed afterwards."""
    content = program.text.content
    changed: dict[Span, list[tuple[Span, str]]] = {}
    for edit in edits:
        region = _region(program, edit.span)
        changed.setdefault(region, []).append((edit.span, edit.text))
    merged: list[tuple[Span, list[tuple[Span, str]]]] = []
    for region, inside in sorted(changed.items()):
        if merged and region.start < merged[-1][0].end:
            last, others = merged[-1]
            merged[-1] = (Span(last.start, max(last.end, region.end)), others + inside)
        else:
            merged.append((region, inside))
    for region, inside in merged:
        shifted = [
            (Span(span.start - region.start, span.end - region.start), text)
            for span, text in sorted(inside)
        ]
        text = replaced(content[region.start : region.end], shifted)
        if text[:1] in (" ", "\t"):
            text = f"if 1:\n{text}"
        if parse(text).errors:
            return False
    return True


def _region(program: Program, span: Span) -> Span:
    """The lines of the smallest function, or else of the top-level statement or class part, around a span."""
    body: Sequence[ast.stmt] = program.tree.body
    text = program.text
    region = Span(0, len(text.content))

    def begins(statement: ast.stmt) -> int:
        """Where the first line of a statement begins, decorators included."""
        return text.line_starts[first_line(statement) - 1]

    while body:
        index = bisect_right(body, span.start, key=begins) - 1
        if index < 0:
            first = begins(body[0])
            return Span(region.start, first) if span.end <= first else region
        start = begins(body[index])
        end = begins(body[index + 1]) if index + 1 < len(body) else region.end
        if span.end > end:
            return region
        if span.start == span.end == start and index:
            # A line that is put there may belong to what comes before it.
            return Span(begins(body[index - 1]), end)
        # Statements on one line belong together.
        region = Span(start, end)
        statement = body[index]
        if not isinstance(statement, ast.ClassDef):
            return region
        if span.start < begins(statement.body[0]):
            # The head of a class is nothing without its body.
            return region
        body = statement.body
    return region
