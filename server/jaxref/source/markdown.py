"""Python in Markdown and MyST pages: the fences of a page as one module of the page's own lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxref.quick_dataclasses import dataclass
from jaxref.source.cells import RAISING_TAG, plain_cell
from jaxref.source.parsing import parse
from jaxref.source.text import Span, Text


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the module's characters that stands at `source` in the page."""

    module: int
    source: int
    length: int


@dataclass(frozen=True, slots=True)
class Page:
    """The code of a page. The module has the page's lines: line n there is line n here.

    `failing` are the 0-based lines whose fence is tagged as one that raises.
    """

    module: str
    pieces: tuple[Piece, ...]
    failing: frozenset[int] = frozenset()


def page_of(content: str) -> Page:
    """The Python fences of a Markdown `content`.

    A fence that is no Python by itself is left out: pages show fragments. Prompts of an interactive
    session (`>>>`) are cut off together with what it printed.
    """
    text = Text(content)
    lines = [text.line_span(index) for index in range(text.line_count())]
    starts = text.line_starts
    code: dict[int, tuple[Span, str]] = {}
    failing: set[int] = set()
    for fence in _fences(content, lines):
        taken = _interactive(content, fence) if _is_interactive(content, fence) else fence.lines
        body = {number: span for number, span in taken if span.end > span.start}
        plain = plain_cell(_joined(content, fence, body)).code
        if not body or parse(plain).errors:
            continue
        for (number, _), line in zip(fence.lines, plain.split("\n"), strict=True):
            if number in body:
                code[number] = (body[number], line)
                if fence.fails:
                    failing.add(number)
    pieces: list[Piece] = []
    module: list[str] = []
    at = 0
    for index, span in enumerate(lines):
        following = starts[index + 1] if index + 1 < len(starts) else len(content)
        kept = code.get(index)
        if kept is None:
            body_line = " " * (span.end - span.start)
        else:
            where, body_line = kept
            pieces.append(Piece(at, where.start, len(body_line)))
        line = body_line + content[span.end : following]
        module.append(line)
        at += len(line)
    return Page("".join(module), tuple(pieces), frozenset(failing))


@dataclass(frozen=True, slots=True)
class _Fence:
    """A fence of Python: by 0-based number, the spans of its lines' code.

    `fails` when it is tagged as one that raises an exception.
    """

    lines: tuple[tuple[int, Span], ...]
    fails: bool


_OPENING = re.compile(
    r"(?P<indent>[ \t>]*(?:[-*+][ ]+)?)(?P<mark>`{3,}|~{3,}|:{3,})(?P<info>[^`\r\n]*)$"
)
_DIRECTIVE = re.compile(r"\{(?P<name>[\w:.-]+)\}\s*(?P<rest>.*)$")
_LANGUAGE = re.compile(r"\{?[ ]*\.?(?P<language>[\w+-]*)")
_CODE_DIRECTIVES = frozenset(["code-cell", "code-block", "code", "jupyter-execute", "testcode"])
_RUN_DIRECTIVES = frozenset(["code-cell", "jupyter-execute", "testcode"])
_PYTHON = frozenset(["python", "py", "python3", "ipython", "ipython3", "pycon", "py3"])


def _fences(content: str, lines: list[Span]) -> Iterator[_Fence]:
    """All fences of Python. Other directives of MyST hold Markdown, so fences inside them count."""
    number = 0
    outer: list[str] = []
    while number < len(lines):
        line = content[lines[number].start : lines[number].end]
        opening = _OPENING.match(line)
        number += 1
        if opening is None:
            continue
        mark, info = opening["mark"], opening["info"].strip()
        if not info and outer and mark[0] == outer[-1][0] and len(mark) >= len(outer[-1]):
            outer.pop()
            continue
        directive = _DIRECTIVE.match(info)
        if directive is not None and directive["name"] not in _CODE_DIRECTIVES:
            outer.append(mark)
            continue
        if mark[0] == ":" and directive is None:
            continue
        language = _language(info, directive)
        closing = re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        indent = opening["indent"]
        body: list[tuple[int, Span]] = []
        while number < len(lines):
            span = lines[number]
            inner = content[span.start : span.end]
            number += 1
            if closing.match(inner):
                break
            body.append((number - 1, Span(span.start + _cut(inner, indent), span.end)))
        if language in _PYTHON:
            options = 0 if directive is None else _option_count(content, body)
            fails = any(RAISING_TAG in content[span.start : span.end] for _, span in body[:options])
            yield _Fence(tuple(body[options:]), fails)


def _language(info: str, directive: re.Match[str] | None) -> str:
    if directive is None:
        found = _LANGUAGE.match(info)
        return found["language"].lower() if found else ""
    word = directive["rest"].split()[:1]
    if not word:
        return "python" if directive["name"] in _RUN_DIRECTIVES else ""
    return word[0].lower()


def _cut(line: str, indent: str) -> int:
    """How many characters of `line` belong to the indentation of its fence."""
    width = 0
    while width < len(indent) and width < len(line) and line[width] in " \t>":
        width += 1
    return width


def _option_count(content: str, body: list[tuple[int, Span]]) -> int:
    """How many lines the options take that MyST allows first: `:name: value` or a YAML block."""
    at = 0
    texts = [content[span.start : span.end].strip() for _, span in body]
    if texts and texts[0] == "---":
        at = texts.index("---", 1) + 1 if "---" in texts[1:] else 0
    while at < len(texts) and re.match(r":[\w-]+:", texts[at]):
        at += 1
    return at


def _is_interactive(content: str, fence: _Fence) -> bool:
    for _, span in fence.lines:
        line = content[span.start : span.end]
        if line.strip():
            return line.lstrip().startswith(">>>")
    return False


def _interactive(content: str, fence: _Fence) -> tuple[tuple[int, Span], ...]:
    """The lines behind `>>>` and `...` prompts."""
    kept = []
    follows = False
    for number, span in fence.lines:
        line = content[span.start : span.end]
        stripped = line.lstrip()
        prompt = stripped[:3]
        follows = prompt == ">>>" or (follows and prompt == "...")
        if follows:
            start = span.start + len(line) - len(stripped) + 3
            start += content[start : start + 1] == " "
            kept.append((number, Span(min(start, span.end), span.end)))
    return tuple(kept)


def _joined(content: str, fence: _Fence, body: dict[int, Span]) -> str:
    return "\n".join(
        content[body[number].start : body[number].end] if number in body else ""
        for number, _ in fence.lines
    )
