"""The statements of a module's top level: what their text says, whatever stands around them."""

from __future__ import annotations

import ast
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

from jaxref.quick_dataclasses import dataclass
from jaxref.source.text import Text
from jaxref.source.walking import walk

_WORD = re.compile(r"[^\W\d]\w*")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the top level: whole lines, `end` exclusive, with its decorators.

    `words` are all that may be names in it, also in comments and strings: more than it can look up.
    `names` are those that it binds, `shared` those that its functions declare global. `imports` is
    true where something is imported in it. `line` is counted from 1, `start` in code points from 0.
    """

    text: str
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
    text: Text, tree: ast.Module, before: Sequence[Statement] = ()
) -> tuple[Statement, ...]:
    """The statements of `tree`, the tree made of `text`. What is known from `before` is not found anew."""
    known = {one.text: one for one in before}
    starts, content = text.line_starts, text.content
    found = []
    for node in tree.body:
        decorators = getattr(node, "decorator_list", None)
        line = decorators[0].lineno if decorators else node.lineno
        last = node.end_lineno or node.lineno
        words = content[starts[line - 1] : starts[last] if last < len(starts) else len(content)]
        one = known.get(words)
        if one is None:
            one = known[words] = _statement(words, node)
        found.append(
            Statement(
                one.text, line, starts[line - 1], one.words, one.names, one.shared, one.imports
            )
        )
    return tuple(found)


def holding(statements: Sequence[Statement], line: int) -> int:
    """The index of the last statement that starts at or above a line; -1 for none."""
    return bisect_right(statements, line, key=lambda one: one.line) - 1


def _statement(text: str, node: ast.stmt) -> Statement:
    words = _WORD.findall(text)
    if not text.isascii():
        # Python compares names in this form.
        words += _WORD.findall(unicodedata.normalize("NFKC", text))
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
    return Statement(text, 0, 0, mentioned, frozenset(names), frozenset(shared), imports)


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
