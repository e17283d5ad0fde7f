"""Which functions can have to do with refs or VJPs: told from their words, without evaluating them.

A file that matters for jaxref is mostly about other things. What a function mentions says whether a
ref or a VJP can turn up in it when nobody here calls it: one of JAX's own words for them, or a name
under which something with such a word was defined, in this module or in one that it imports from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from jaxref.source.walking import walk

SOURCES = frozenset(
    {
        "new_ref", "empty_ref", "array_ref", "mutable_array", "ArrayRef", "MutableArray", "Ref", "free_ref",
        "freeze", "vjp", "with_refs", "fwd_and_bwd", "GradValue", "GradRef", "DontWant", "DidntWant",
        "pallas_call", "core_map", "run_state", "run_scoped", "empty_ref_like",
    }
)  # fmt: skip
"""The words by which refs and VJPs come into a program."""

_WORDS = re.compile(r"\b(?:" + "|".join(sorted(SOURCES)) + r")\b")
_IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([\w.]+))",
    re.MULTILINE,
)
MAX_MODULES = 100
_ANNOTATION = re.compile(r"[\w.]+(?:(?: ?[|,\[] ?)[\w.]+\]*)*")
"""What an annotation in quotes looks like, and a name given as a string."""

Imported = Callable[[str, int], frozenset[str]]
"""The names of interest in the module of this name with this many leading dots."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def speaks_of_refs(text: str) -> bool:
    """True for a text with one of the words in it."""
    return _WORDS.search(text) is not None


def imports_in(text: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """The modules that a text imports, read off its lines: name, leading dots, what of it."""
    for found in _IMPORTS.finditer(text):
        dots, name, wanted, plain = found.groups()
        if plain:
            yield plain, 0, ()
        else:
            yield name or "", len(dots or ""), tuple(re.findall(r"(?<!as )\b[A-Za-z_]\w*", wanted))


class Interest:
    """What is of interest in one module. `imported` is asked about the modules it imports."""

    def __init__(self, tree: ast.Module, imported: Imported) -> None:
        self._imported = imported
        self._names = set(SOURCES)
        self._words: dict[int, set[str]] = {}
        self._bases: dict[int, set[str]] = {}
        self._definitions: list[tuple[set[str], set[str]]] = []
        self._verdicts: dict[int, bool] = {}
        self._everything = False
        self.anything = True
        """False when nothing in the module can have to do with refs or VJPs."""
        words: set[str] = set()
        try:
            self._note_all(tree.body, words, True)
            self._close()
            self.anything = not words.isdisjoint(self._names)
            self._mark(tree, False)
        except RecursionError:
            self._everything = True

    def of(self, function: ast.AST) -> bool:
        """Whether a function is worth entering though nobody calls it."""
        return self._everything or self._verdicts.get(id(function), True)

    @property
    def names(self) -> frozenset[str]:
        """The names by which others get at something of interest here."""
        return frozenset(self._names - SOURCES)

    # -- what is defined under which names ---------------------------------------------------------

    def _note_all(self, nodes: Iterable[ast.AST], words: set[str], shared: bool) -> None:
        for node in nodes:
            self._note(node, words, shared)

    def _note(self, node: ast.AST, words: set[str], shared: bool) -> None:
        """Add the words in a node to `words`. Where names are `shared`, as in a module or a class,
        note what it defines; in a function only attributes are for others."""
        if isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
            self._note(node.value, words, shared)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and _ANNOTATION.fullmatch(node.value):
                words.update(re.findall(r"\w+", node.value))
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            self._note_definition(node, words, shared)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            inner: set[str] = set()
            self._note_all(ast.iter_child_nodes(node), inner, shared)
            self._note_targets(node, inner, shared)
            words |= inner
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._note_import(node)
        else:
            self._note_all(ast.iter_child_nodes(node), words, shared)

    def _note_definition(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        words: set[str],
        shared: bool,
    ) -> None:
        inner = self._words[id(node)] = set()
        is_class = isinstance(node, ast.ClassDef)
        self._note_all(ast.iter_child_nodes(node), inner, is_class)
        # Special methods are called without being named.
        if shared and not (node.name.startswith("__") and node.name.endswith("__")):
            self._definitions.append(({node.name}, inner))
        if isinstance(node, ast.ClassDef):
            self._note_all(node.bases, self._bases.setdefault(id(node), set()), False)
        words |= inner

    def _note_targets(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, words: set[str], shared: bool
    ) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {
            inner.attr if isinstance(inner, ast.Attribute) else inner.id
            for target in targets
            for inner in walk(target)
            if isinstance(inner, ast.Attribute) or (isinstance(inner, ast.Name) and shared)
        }
        if names:
            self._definitions.append((names, words))

    def _note_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                self._names |= self._imported(alias.name, 0)
                continue
            module = node.module or ""
            names = self._imported(module, node.level)
            if alias.name == "*":
                self._names |= names
                continue
            if alias.name in names or alias.name in SOURCES:
                self._names.add(alias.asname or alias.name)
            self._names |= self._imported(
                f"{module}.{alias.name}" if module else alias.name, node.level
            )

    def _close(self) -> None:
        """What is defined with the help of something interesting is interesting."""
        waiting = self._definitions
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

    def _mark(self, node: ast.AST, inside: bool) -> None:
        """Judge the functions in a node; `inside` one that is interesting all are."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _FUNCTIONS):
                found = inside or not self._words[id(child)].isdisjoint(self._names)
                self._verdicts[id(child)] = found
                self._mark(child, found)
            elif isinstance(child, ast.ClassDef):
                self._mark(child, inside or not self._bases[id(child)].isdisjoint(self._names))
            elif not isinstance(child, ast.expr):
                self._mark(child, inside)
