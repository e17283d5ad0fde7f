"""Which functions can have to do with refs or VJPs: told from their words, without evaluating them.

A file that matters for jaxref is mostly about other things. What a function mentions says whether a
ref or a VJP can turn up in it when nobody here calls it: one of JAX's own words for them, where it is got
out of JAX, or a name under which something with such a word was defined, in this module or in one that
it imports from. A module of JAX that has such words counts as one where it is handed around.
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

_PATHS = re.compile(r"[\w.]+")

Imported = Callable[[str, int], frozenset[str]]
"""The names of interest in the module of this name with this many leading dots."""

_OWNERS = frozenset(
    {
        "jax", "jax.ad", "jax.api", "jax.core", "jax.ref", "jax._src", "jax._src.core", "jax._src.state",
        "jax._src.state.discharge", "jax.experimental", "jax.experimental.pallas", "jax.experimental.state",
    }
)  # fmt: skip
"""The modules of JAX in which one of its words is a name that is described, and those around them."""
_LAST_OF_OWNERS = frozenset(owner.rpartition(".")[2] for owner in _OWNERS)

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NOTED = frozenset(
    {
        ast.Assign,
        ast.AnnAssign,
        ast.AugAssign,
        *_FUNCTIONS,
        ast.ClassDef,
        ast.Import,
        ast.ImportFrom,
    }
)
"""The nodes of which something is noted beside what is below them, other than names and strings."""


@dataclass(slots=True)
class _Definition:
    """A function, by the id of its `node` and its words, or a class with the words of its bases and the node 0.

    `around` is the index of the definition that it stands in, -1 for none.
    """

    node: int
    words: set[str]
    around: int


@dataclass(slots=True)
class _Words:
    """What a module's text says, whatever the modules around it say.

    `definitions` holds the functions and classes, those around others first, and `around` is the one whose
    body is noted, -1 for none; `defined` the names that things have for others, with the words they are defined by.

    A name that is read is a word as it is. With a dot before it are attributes, words in strings, names of
    which only an attribute is taken, and a function's own variables; with `=` before it names that are bound.
    Paths are words, too: `a.b` where `b` is a word of JAX, and `a.b.` where `b` can be a module that has
    such words and nothing is taken of it.
    """

    all: set[str] = field(default_factory=set)
    definitions: list[_Definition] = field(default_factory=list)
    around: int = -1
    defined: list[tuple[set[str], set[str]]] = field(default_factory=list)
    imports: list[ast.Import | ast.ImportFrom] = field(default_factory=list)


def _words_of(tree: ast.Module) -> tuple[_Words, list[list[_Definition]]]:
    """The words of a module without its definitions, and those of each statement."""
    words = _Words()
    definitions = []
    for statement in tree.body:
        # Found once per statement: trees are shared by analyses, and statements by trees.
        found: _Words | None = getattr(statement, "_words", None)
        if found is None:
            found = statement._words = _Words()  # type: ignore[attr-defined]
            _note_all(found, (statement,), found.all, True)
        words.all |= found.all
        words.defined += found.defined
        words.imports += found.imports
        definitions.append(found.definitions)
    return words, definitions


def _note_all(to: _Words, nodes: Iterable[ast.AST], words: set[str], shared: bool) -> None:
    """Add the words in some nodes to `words`. Where names are `shared`, as in a module or a class, note
    what they define; in a function only attributes are for others."""
    for node in nodes:
        kind = type(node)
        # In the order of how frequent they are.
        if kind is ast.Name:
            if type(node.ctx) is ast.Load:  # type: ignore[attr-defined]
                words.add(node.id)  # type: ignore[attr-defined]
            else:
                words.add("=" + node.id)  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            _note_path(to, node, words, shared)  # type: ignore[arg-type]
        elif kind is ast.Constant:
            if type(node.value) is str:  # type: ignore[attr-defined]
                _note_string(words, node.value)  # type: ignore[attr-defined]
        elif kind not in _NOTED:
            _note_all(to, children(node), words, shared)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            inner: set[str] = set()
            _note_all(to, children(node), inner, shared)
            _note_targets(to, node, inner, shared)
            words |= inner
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            _note_definition(to, node, words, shared)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            to.imports.append(node)


def _note_string(words: set[str], text: str) -> None:
    """Add the words of what may be an annotation in quotes, or a name."""
    if _ANNOTATION.fullmatch(text):
        for path in _PATHS.findall(text):
            parts = path.split(".")
            words.update(["." + part for part in parts])
            if parts[-1] in SOURCES:
                words.add(path)


def _note_path(to: _Words, node: ast.Attribute, words: set[str], shared: bool) -> None:
    """Add the words in `a.b.c`, and what of it may be a path to something of JAX."""
    attr = node.attr
    if attr in _LAST_OF_OWNERS:
        words.add(_dotted(node) + ".")
    while True:
        words.add("." + attr)
        if attr in SOURCES:
            words.add(_dotted(node))
        value = node.value
        kind = type(value)
        if kind is ast.Name:
            words.add("." + value.id)  # type: ignore[attr-defined]
            return
        if kind is not ast.Attribute:
            _note_all(to, (value,), words, shared)
            return
        node = value  # type: ignore[assignment]
        attr = node.attr


def _dotted(node: ast.expr) -> str:
    """`a.b.c` as it is written; it begins with a dot where `a` is no name."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def _note_definition(
    to: _Words,
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    words: set[str],
    shared: bool,
) -> None:
    is_class = isinstance(node, ast.ClassDef)
    inner: set[str] = set()
    judged: set[str] = set() if is_class else inner
    around, to.around = to.around, len(to.definitions)
    to.definitions.append(_Definition(0 if is_class else id(node), judged, around))
    _note_all(to, children(node), inner, is_class)
    to.around = around
    if not isinstance(node, ast.ClassDef):
        _forget_locals(inner, node.args)
    # Special methods are called without being named.
    if shared and not (node.name.startswith("__") and node.name.endswith("__")):
        to.defined.append(({node.name}, inner))
    if isinstance(node, ast.ClassDef):
        _note_all(to, node.bases, judged, False)
    words |= inner


def _forget_locals(words: set[str], parameters: ast.arguments) -> None:
    """Take the names of a function's own variables for no names of modules."""
    own = [word[1:] for word in words if word[0] == "="]
    words.difference_update([f"={name}" for name in own])
    arguments = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
    own += [one.arg for one in arguments]
    for name in own:
        if name in words:
            words.remove(name)
            words.add("." + name)


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
        self._names: set[str] = set()
        """The words that are of interest."""
        self._symbols: dict[str, set[str]] = {}
        """What imported names stand for: of JAX the path, of others "", which may be anything."""
        self._owners: set[str] = set()
        """The names of JAX's modules."""
        self._verdicts: dict[int, bool] = {}
        self._everything = False
        self.anything = True
        """False when nothing in the module can have to do with refs or VJPs."""
        try:
            words, definitions = _words_of(tree)
            for node in words.imports:
                self._note_import(node, imported)
            self._names.update(
                [word for word in words.all if "." in word[1:] and self._is_of_jax(word)]
            )
            self._close(words.defined)
            self.anything = not words.all.isdisjoint(self._names)
            for of_statement in definitions:
                self._mark(of_statement)
        except RecursionError:
            self._everything = True

    def of(self, function: ast.AST) -> bool:
        """Whether a function is worth entering though nobody calls it."""
        return self._everything or self._verdicts.get(id(function), True)

    @property
    def words(self) -> frozenset[str]:
        """The words by which all functions are judged, as `_Words` has them."""
        return frozenset(self._names)

    @property
    def names(self) -> frozenset[str]:
        """The names by which others get at something of interest here."""
        return frozenset(name for name in self._names - self._owners if name.isidentifier())

    def _add(self, names: Iterable[str]) -> None:
        self._names.update(names)
        self._names.update([f".{name}" for name in names])

    def _note_import(self, node: ast.Import | ast.ImportFrom, imported: Imported) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                self._add(imported(alias.name, 0))
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                self._bind(alias.asname or name, name)
                continue
            module = node.module or ""
            names = imported(module, node.level)
            if alias.name == "*":
                self._add(names)
                if not self._is_read_as_jax(module, node.level):
                    # Any name may be one of JAX's modules from here on.
                    self._symbols[""] = {""}
                continue
            bound = alias.asname or alias.name
            inner = f"{module}.{alias.name}" if module else alias.name
            if self._is_read_as_jax(module, node.level):
                self._bind(bound, inner)
            else:
                self._bind(bound, "")
                if alias.name in names or alias.name in SOURCES:
                    self._add({bound})
            self._add(imported(inner, node.level))

    @staticmethod
    def _is_read_as_jax(module: str, level: int) -> bool:
        """Whether something out of a module is what JAX has by this path, and nothing else."""
        return not level and module.partition(".")[0] == "jax"

    def _bind(self, name: str, symbol: str) -> None:
        """Note that an import gives a name to something."""
        if not self._is_read_as_jax(symbol, 0):
            symbol = ""
        self._symbols.setdefault(name, set()).add(symbol)
        owner, _, last = symbol.rpartition(".")
        if symbol in _OWNERS:
            self._owners.add(name)
            self._names.add(name)
        elif last in SOURCES and owner in _OWNERS:
            self._add({name})

    def _is_of_jax(self, path: str) -> bool:
        """Whether a path leads to something in JAX that is of interest."""
        root, _, rest = path.partition(".")
        if not rest:
            return False
        used_itself = rest.endswith(".")
        rest = rest.removesuffix(".")
        for symbol in self._symbols.get(root, self._symbols.get("", ())):
            owner, _, last = f"{symbol}.{rest}".rpartition(".")
            if not symbol:
                return not used_itself and last in SOURCES
            if used_itself and f"{owner}.{last}" in _OWNERS:
                return True
            if not used_itself and owner in _OWNERS and last in SOURCES:
                return True
        return False

    def _close(self, defined: list[tuple[set[str], set[str]]]) -> None:
        """What is defined with the help of something interesting is interesting."""
        waiting = defined
        while True:
            left = []
            for names, words in waiting:
                if words.isdisjoint(self._names):
                    left.append((names, words))
                else:
                    self._add(names)
            if len(left) == len(waiting):
                return
            waiting = left

    def _mark(self, definitions: list[_Definition]) -> None:
        """Judge the functions of a statement; inside one that is interesting all are."""
        found: list[bool] = []
        for one in definitions:
            inside = one.around >= 0 and found[one.around]
            found.append(inside or not one.words.isdisjoint(self._names))
            if one.node:
                self._verdicts[one.node] = found[-1]
