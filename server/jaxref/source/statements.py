"""The statements of a module's top level: what their text says, whatever stands around them."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator, Sequence

from jaxref.quick_dataclasses import dataclass
from jaxref.source.parsing import Parsed
from jaxref.source.text import Text
from jaxref.source.walking import first_line, last_line, walk

_WORD = re.compile(r"[^\W\d]\w*")
_PROSE = re.compile(r"\w\s+\w")
_LINE_END = re.compile(r"\r\n?|\n")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the top level: whole lines, `end` exclusive, with its decorators.

    Equal ones have equal trees but for their places: `code` is what was parsed in the place of `text`.
    `words` are all that may be names in it, also in comments and strings other than docstrings: more
    than it can look up.
    `names` are those that it binds, `shared` those that its functions declare global. `imports` is
    true where something is imported in it. `line` is counted from 1, `start` in code points from 0.
    """

    text: str
    code: str
    line: int
    start: int
    words: frozenset[str]
    names: frozenset[str]
    shared: frozenset[str]
    imports: bool

    @property
    def end(self) -> int:
        """The offset behind its last line."""
        return self.start + len(self.text)


def statements_of(
    text: Text, parsed: Parsed, before: Sequence[Statement] = ()
) -> tuple[Statement, ...]:
    """The statements of a text. What is known from `before` is not found anew."""
    known = {(one.text, one.code): one for one in before}
    is_alike = parsed.code == text.content
    starts = text.line_starts
    code = text if is_alike else Text(parsed.code)
    found = []
    for node in parsed.tree.body:
        line, last = first_line(node), last_line(node)
        said = text.lines(line, last)
        read = said if is_alike else code.lines(line, last)
        one = known.get((said, read))
        if one is None:
            one = known[said, read] = _statement(said, read, node, line)
        found.append(
            Statement(
                one.text,
                one.code,
                line,
                starts[line - 1],
                one.words,
                one.names,
                one.shared,
                one.imports,
            )
        )
    return tuple(found)


def _statement(text: str, code: str, node: ast.stmt, line: int) -> Statement:
    if text.isascii() and text == code:
        words = _WORD.findall(_without_docstrings(text, node, line))
    else:
        # Python compares names in this form.
        words = _WORD.findall(text) + _WORD.findall(unicodedata.normalize("NFKC", text))
    names: set[str] = set()
    shared: set[str] = set()
    mentioned = frozenset(words)
    imports = "import" in mentioned and any(
        isinstance(inner, (ast.Import, ast.ImportFrom)) for inner in walk(node)
    )
    if "global" in mentioned:
        for inner in walk(node):
            if isinstance(inner, ast.Global):
                shared.update(inner.names)
    if isinstance(node, _DEFINITIONS):
        names.add(node.name)
    else:
        for inner in walk(node):
            names |= _bound(inner)
    return Statement(text, code, 0, 0, mentioned, frozenset(names), frozenset(shared), imports)


def _without_docstrings(text: str, node: ast.stmt, line: int) -> str:
    """The text of a statement, which starts on `line`, without what documents its parts."""
    docstrings = list(_docstrings(node))
    if not docstrings:
        return text
    starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
    parts, at = [], 0
    for found in docstrings:
        assert found.end_lineno is not None and found.end_col_offset is not None
        parts.append(text[at : starts[found.lineno - line] + found.col_offset])
        at = starts[found.end_lineno - line] + found.end_col_offset
    return " ".join([*parts, text[at:]])


def _docstrings(node: ast.AST) -> Iterator[ast.Constant]:
    """The strings in a statement that are statements themselves and say more than a name, in order."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        value = node.value.value
        if isinstance(value, str) and _PROSE.search(value):
            yield node.value
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        below = getattr(node, name, None)
        if isinstance(below, list):
            for inner in below:
                yield from _docstrings(inner)


def _bound(node: ast.AST) -> set[str]:
    """The names that a node by itself may bind."""
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).partition(".")[0]}
    if isinstance(node, (*_DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return {node.name} if node.name else set()
    if isinstance(node, ast.MatchMapping):
        return {node.rest} if node.rest else set()
    return set()
