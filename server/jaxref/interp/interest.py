"""Which functions can have to do with refs or VJPs: told from their words, without evaluating them.

A file that matters for jaxref is mostly about other things. What a function mentions says whether a
ref or a VJP can turn up in it when nobody here calls it: one of JAX's own words for them, where it is got
out of JAX, or a name under which something with such a word was defined, in this module or in one that
it imports from. A module of JAX that has such words counts as one where it is handed around.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from jaxref.interp.words import FUNCTIONS, OWNERS, Part, parts_of, words_in
from jaxref.relevance import SOURCES
from jaxref.source.text import Text
from jaxref.source.walking import walk

Imported = Callable[[str, int], frozenset[str]]
"""The names of interest in the module of this name with this many leading dots."""


class Interest:
    """What is of interest in one module. `imported` is asked about the modules it imports.

    With `text`, in which the statements stand where they say, only those are looked at that can matter.
    """

    def __init__(self, tree: ast.Module, imported: Imported, text: Text | None = None) -> None:
        self._names: set[str] = set()
        """The words that are of interest."""
        self._symbols: dict[str, set[str]] = {}
        """What imported names stand for: of JAX the path, of others "", which may be anything."""
        self._owners: set[str] = set()
        """The names of JAX's modules."""
        self._functions: set[ast.AST] = set()
        """Those that are of interest."""
        self._everything = False
        self.anything = True
        """False when nothing in the module can have to do with refs or VJPs."""
        try:
            self._look(tree, imported, text)
        except RecursionError:
            self._everything = True

    def of(self, function: ast.AST) -> bool:
        """Whether a function is worth entering though nobody calls it."""
        return (
            self._everything or function in self._functions or not isinstance(function, FUNCTIONS)
        )

    def concerns(self, node: ast.expr) -> bool:
        """Whether something that an expression of the module mentions is of interest."""
        words = words_in(node)
        return (
            self._everything
            or not words.isdisjoint(self._names)
            or any("." in word[1:] and self._is_of_jax(word) for word in words)
        )

    @property
    def words(self) -> frozenset[str]:
        """The words by which all functions are judged, as `Words` has them."""
        return frozenset(self._names)

    @property
    def names(self) -> frozenset[str]:
        """The names by which others get at something of interest here."""
        return frozenset(name for name in self._names - self._owners if name.isidentifier())

    def _look(self, tree: ast.Module, imported: Imported, text: Text | None) -> None:
        looked_at: list[Part] = []
        waiting: list[tuple[frozenset[str], Part]] = []
        for part in parts_of(tree):
            mentioned = part.mentioned(text)
            if mentioned is None:
                looked_at.append(part)
            else:
                waiting.append((mentioned, part))
        for part in looked_at:
            for node in part.words.imports:
                self._note_import(node, imported)
        for part in looked_at:
            self._names.update(
                [word for word in part.words.all if "." in word[1:] and self._is_of_jax(word)]
            )
        self._close(looked_at, waiting)
        self.anything = any(not part.words.all.isdisjoint(self._names) for part in looked_at)
        self._mark(looked_at, waiting)

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
        if symbol in OWNERS:
            self._owners.add(name)
            self._names.add(name)
        elif last in SOURCES and owner in OWNERS:
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
            if used_itself and f"{owner}.{last}" in OWNERS:
                return True
            if not used_itself and owner in OWNERS and last in SOURCES:
                return True
        return False

    def _close(self, looked_at: list[Part], waiting: list[tuple[frozenset[str], Part]]) -> None:
        """What is defined with the help of something interesting is interesting.

        What of `waiting` mentions it is looked at, too.
        """
        defined: list[tuple[set[str], set[str]]] = []
        classes: dict[ast.stmt, set[str]] = {}
        new = looked_at
        while True:
            for part in new:
                words = part.words
                if part.is_class:
                    # By the words of its body, too, as they are found.
                    by = classes[part.node] = set(words.all)
                    defined += [(names, by) for names, _ in words.defined]
                    continue
                defined += words.defined
                if part.inside is not None:
                    classes[part.inside.node] |= words.all
            size = len(self._names)
            left = []
            for names, by in defined:
                if by.isdisjoint(self._names):
                    left.append((names, by))
                else:
                    self._add(names)
            defined = left
            mentions = self._mentions()
            new = [part for mentioned, part in waiting if not mentioned.isdisjoint(mentions)]
            if not new and len(self._names) == size:
                return
            if new:
                looked_at += new
                waiting[:] = [one for one in waiting if one[0].isdisjoint(mentions)]

    def _mentions(self) -> set[str]:
        """How names of interest are mentioned in `Part.mentioned`."""
        dotted = [name[1:] for name in self._names if name[0] == "."]
        return {*self._names, *dotted, *[f"{name}." for name in dotted]}

    def _mark(self, looked_at: list[Part], waiting: list[tuple[frozenset[str], Part]]) -> None:
        """Judge the functions; inside what is interesting all are."""
        interesting: set[ast.stmt] = set()
        for part in looked_at:
            found: list[bool] = []
            is_inside = part.inside is not None and part.inside.node in interesting
            for one in part.words.definitions:
                inside = is_inside if one.around < 0 else found[one.around]
                found.append(inside or not one.words.isdisjoint(self._names))
                if one.node is not None and found[-1]:
                    self._functions.add(one.node)
            if part.is_class and found[0]:
                interesting.add(part.node)
        for _, part in waiting:
            if part.inside is not None and part.inside.node in interesting:
                self._functions.update(
                    node for node in walk(part.node) if isinstance(node, FUNCTIONS)
                )
