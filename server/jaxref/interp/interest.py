"""Which functions can have to do with refs or VJPs: told from their words, without evaluating them.

A file that matters for jaxref is mostly about other things. What a function mentions says whether a
ref or a VJP can turn up in it when nobody here calls it: one of JAX's own words for them, or a name
under which something with such a word was defined, in this module or in one that it imports from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

SOURCES = frozenset(
    {
        "new_ref", "empty_ref", "array_ref", "mutable_array", "ArrayRef", "MutableArray", "Ref", "free_ref",
        "freeze", "vjp", "with_refs", "fwd_and_bwd", "GradValue", "GradRef", "DontWant", "DidntWant",
        "pallas_call", "core_map", "run_state", "run_scoped", "empty_ref_like",
    }
)  # fmt: skip
"""The words by which refs and VJPs come into a program."""

_WORDS = re.compile(r"\b(?:" + "|".join(sorted(SOURCES)) + r")\b|\bjax\.ref\b|\bkernel\b")
_IMPORTS = re.compile(r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b|import[ \t]+([\w.]+))", re.MULTILINE)
MAX_MODULES = 60

Imported = Callable[[str, int], bool]
"""Whether the module of this name, with this many leading dots, can have to do with refs."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def speaks_of_refs(text: str) -> bool:
    """True for a text with one of the words in it."""
    return _WORDS.search(text) is not None


def imports_in(text: str) -> Iterator[tuple[str, int]]:
    """The modules that a text imports, by name and number of leading dots, read off its lines."""
    for found in _IMPORTS.finditer(text):
        dots, name, plain = found.groups()
        yield (plain, 0) if plain else (name or "", len(dots or ""))


class Interest:
    """What is of interest in one module. `imported` is asked about the modules it imports."""

    def __init__(self, tree: ast.Module, imported: Imported) -> None:
        self.names: set[str] = set(SOURCES)
        self._imported = imported
        self._words: dict[int, frozenset[str]] = {}
        self._verdicts: dict[int, bool] = {}
        self._definitions: list[tuple[frozenset[str], frozenset[str]]] = []
        self._collect(tree.body)
        self._close()
        self.anything = any(not words.isdisjoint(self.names) for words in self._top)
        self._mark(tree.body, False)

    def of(self, function: ast.AST) -> bool:
        """Whether a function may be worth entering though nobody calls it. Lambdas always are."""
        return self._verdicts.get(id(function), True)

    # -- what is defined under which names ---------------------------------------------------------

    def _collect(self, body: list[ast.stmt]) -> None:
        self._top = [self._note(statement) for statement in body]

    def _note(self, node: ast.AST) -> frozenset[str]:
        """The words in a node; what it defines for others is noted on the way."""
        words: set[str] = set()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._note_import(node)
            return frozenset()
        if isinstance(node, ast.Name):
            return frozenset((node.id,))
        if isinstance(node, ast.Attribute):
            return self._note(node.value) | {node.attr}
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and "Ref" in node.value and len(node.value) < 200:
                return frozenset(re.findall(r"\w+", node.value))
            return frozenset()
        for child in ast.iter_child_nodes(node):
            words |= self._note(child)
        found = frozenset(words)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            self._words[id(node)] = found
            self._definitions.append((frozenset((node.name,)), found))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self._note_assignment(node, found)
        return found

    def _note_assignment(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, words: frozenset[str]
    ) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        attributes: set[str] = set()
        for target in targets:
            for inner in ast.walk(target):
                if isinstance(inner, ast.Attribute):
                    attributes.add(inner.attr)
        if attributes:
            self._definitions.append((frozenset(attributes), words))

    def _note_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            bound = (alias.asname or alias.name).partition(".")[0]
            if alias.name in SOURCES:
                self.names.add(bound)
            elif isinstance(node, ast.ImportFrom):
                module = node.module or ""
                inner = f"{module}.{alias.name}" if module else alias.name
                if self._imported(module, node.level) or self._imported(inner, node.level):
                    self.names.add(bound)
            elif self._imported(alias.name, 0):
                self.names.add(bound)

    def _close(self) -> None:
        """Names defined with the help of interesting names are interesting."""
        waiting = self._definitions
        while True:
            left = []
            for names, words in waiting:
                if words.isdisjoint(self.names):
                    left.append((names, words))
                else:
                    self.names |= names
            if len(left) == len(waiting):
                return
            waiting = left

    # -- verdicts ----------------------------------------------------------------------------------

    def _mark(self, body: list[ast.stmt], inside: bool) -> None:
        for statement in body:
            self._mark_one(statement, inside)

    def _mark_one(self, node: ast.AST, inside: bool) -> None:
        if isinstance(node, _FUNCTIONS):
            # What a function defines sees the variables of that function.
            inside = inside or not self._words[id(node)].isdisjoint(self.names)
            self._verdicts[id(node)] = inside
        elif isinstance(node, ast.ClassDef):
            for base in node.bases:
                inside = inside or not self._note_again(base).isdisjoint(self.names)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt) or not isinstance(child, ast.expr):
                self._mark_one(child, inside)

    def _note_again(self, node: ast.AST) -> set[str]:
        return {
            inner.id if isinstance(inner, ast.Name) else inner.attr
            for inner in ast.walk(node)
            if isinstance(inner, (ast.Name, ast.Attribute))
        }
