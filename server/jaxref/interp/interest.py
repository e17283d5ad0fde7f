"""Which functions can have to do with refs or VJPs: told from their words, without evaluating them.

A file that matters for jaxref is mostly about other things. What a function mentions says whether a
ref or a VJP can turn up in it when nobody here calls it: one of JAX's own words for them, or a name
under which something with such a word was defined, in this module or in one that it imports from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from jaxref.quick_dataclasses import dataclass, field
from jaxref.relevance import SOURCES
from jaxref.source.walking import children, walk

_ANNOTATION = re.compile(r"[\w.]+(?:(?: ?[|,\[] ?)[\w.]+\]*)*")
"""What an annotation in quotes looks like, and a name given as a string."""

Imported = Callable[[str, int], frozenset[str]]
"""The names of interest in the module of this name with this many leading dots."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PLAIN = frozenset(
    {
        ast.Call,
        ast.Tuple,
        ast.Expr,
        ast.keyword,
        ast.arguments,
        ast.arg,
        ast.If,
        ast.Return,
        ast.BinOp,
    }
)
"""The most frequent nodes of which nothing is noted but what is below them."""
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields that hold statements, or what holds them."""


@dataclass(slots=True)
class _Words:
    """What a module's text says, whatever the modules around it say.

    `of` holds the words in each function and class, `bases` those in the bases of a class, by node;
    `defined` the names that things have for others, with the words they are defined by.
    """

    all: set[str] = field(default_factory=set)
    of: dict[int, set[str]] = field(default_factory=dict)
    bases: dict[int, set[str]] = field(default_factory=dict)
    defined: list[tuple[set[str], set[str]]] = field(default_factory=list)
    imports: list[ast.Import | ast.ImportFrom] = field(default_factory=list)


def _words_of(tree: ast.Module) -> _Words:
    """The words of a module."""
    words = _Words()
    for statement in tree.body:
        # Found once per statement: trees are shared by analyses, and statements by trees.
        found: _Words | None = getattr(statement, "_words", None)
        if found is None:
            found = statement._words = _Words()  # type: ignore[attr-defined]
            _note(found, statement, found.all, True)
        words.all |= found.all
        words.of.update(found.of)
        words.bases.update(found.bases)
        words.defined += found.defined
        words.imports += found.imports
    return words


def names_defined(statement: ast.stmt) -> frozenset[str]:
    """The names and attributes by which others get at what a statement of the top level defines."""
    found: _Words | None = getattr(statement, "_words", None)
    if found is None:
        found = _words_of(ast.Module([statement], []))
    return frozenset(name for names, _ in found.defined for name in names)


def _note_all(to: _Words, nodes: Iterable[ast.AST], words: set[str], shared: bool) -> None:
    for node in nodes:
        kind = type(node)
        # The most frequent ones are dealt with here: a call for each takes longer than its work.
        if kind is ast.Name:
            words.add(node.id)  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            words.add(node.attr)  # type: ignore[attr-defined]
            _note(to, node.value, words, shared)  # type: ignore[attr-defined]
        else:
            _note(to, node, words, shared)


def _note(to: _Words, node: ast.AST, words: set[str], shared: bool) -> None:
    """Add the words in a node to `words`. Where names are `shared`, as in a module or a class, note
    what it defines; in a function only attributes are for others."""
    kind = type(node)
    if kind in _PLAIN:
        _note_all(to, children(node), words, shared)
    elif isinstance(node, ast.Name):
        words.add(node.id)
    elif isinstance(node, ast.Attribute):
        words.add(node.attr)
        _note(to, node.value, words, shared)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _ANNOTATION.fullmatch(node.value):
            words.update(re.findall(r"\w+", node.value))
    elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        _note_definition(to, node, words, shared)
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        inner: set[str] = set()
        _note_all(to, children(node), inner, shared)
        _note_targets(to, node, inner, shared)
        words |= inner
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        to.imports.append(node)
    else:
        _note_all(to, children(node), words, shared)


def _note_definition(
    to: _Words,
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    words: set[str],
    shared: bool,
) -> None:
    inner = to.of[id(node)] = set()
    _note_all(to, children(node), inner, isinstance(node, ast.ClassDef))
    # Special methods are called without being named.
    if shared and not (node.name.startswith("__") and node.name.endswith("__")):
        to.defined.append(({node.name}, inner))
    if isinstance(node, ast.ClassDef):
        _note_all(to, node.bases, to.bases.setdefault(id(node), set()), False)
    words |= inner


def _note_targets(
    to: _Words, node: ast.Assign | ast.AnnAssign | ast.AugAssign, words: set[str], shared: bool
) -> None:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = {
        inner.attr if isinstance(inner, ast.Attribute) else inner.id
        for target in targets
        for inner in walk(target)
        if isinstance(inner, ast.Attribute) or (isinstance(inner, ast.Name) and shared)
    }
    if names:
        to.defined.append((names, words))


class Interest:
    """What is of interest in one module. `imported` is asked about the modules it imports."""

    def __init__(self, tree: ast.Module, imported: Imported) -> None:
        self._names = set(SOURCES)
        self._verdicts: dict[int, bool] = {}
        self._everything = False
        self.anything = True
        """False when nothing in the module can have to do with refs or VJPs."""
        try:
            words = _words_of(tree)
            for node in words.imports:
                self._note_import(node, imported)
            self._close(words.defined)
            self.anything = not words.all.isdisjoint(self._names)
            if self.anything:
                self._mark(words, tree, False)
            else:
                self._verdicts = dict.fromkeys(words.of, False)
        except RecursionError:
            self._everything = True

    def of(self, function: ast.AST) -> bool:
        """Whether a function is worth entering though nobody calls it."""
        return self._everything or self._verdicts.get(id(function), True)

    @property
    def names(self) -> frozenset[str]:
        """The names by which others get at something of interest here."""
        return frozenset(self._names - SOURCES)

    def _note_import(self, node: ast.Import | ast.ImportFrom, imported: Imported) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                self._names |= imported(alias.name, 0)
                continue
            module = node.module or ""
            names = imported(module, node.level)
            if alias.name == "*":
                self._names |= names
                continue
            if alias.name in names or alias.name in SOURCES:
                self._names.add(alias.asname or alias.name)
            inner = f"{module}.{alias.name}" if module else alias.name
            self._names |= imported(inner, node.level)

    def _close(self, defined: list[tuple[set[str], set[str]]]) -> None:
        """What is defined with the help of something interesting is interesting."""
        waiting = defined
        while True:
            left = []
            for names, words in waiting:
                if words.isdisjoint(self._names):
                    left.append((names, words))
                else:
                    self._names |= names
            if len(left) == len(waiting):
                return
            waiting = left

    def _mark(self, words: _Words, node: ast.AST, inside: bool) -> None:
        """Judge the functions in a node; `inside` one that is interesting all are."""
        for field_name in _BLOCKS:
            for child in getattr(node, field_name, ()):
                if isinstance(child, _FUNCTIONS):
                    found = inside or not words.of[id(child)].isdisjoint(self._names)
                    self._verdicts[id(child)] = found
                    self._mark(words, child, found)
                elif isinstance(child, ast.ClassDef):
                    bases = words.bases[id(child)]
                    self._mark(words, child, inside or not bases.isdisjoint(self._names))
                else:
                    self._mark(words, child, inside)
