"""The parents of the nodes of a module, found statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from jaxref.source.walking import children, statements_on


class Parents(Mapping[ast.AST, ast.AST]):
    """The parent of every node of a tree but the root, in the order of `ast.walk`.

    A fix looks at a few statements, most of the time. Contexts and operators are left out: they are
    single objects that many nodes share.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._found: dict[ast.AST, ast.AST] = {}
        self._looked_at: set[ast.AST] = set()
        self._is_complete = False

    def __getitem__(self, node: ast.AST) -> ast.AST:
        found = self._found.get(node)
        if found is None and not self._is_complete:
            self._look_for(node)
            found = self._found.get(node)
        if found is None:
            raise KeyError(node)
        return found

    def __iter__(self) -> Iterator[ast.AST]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[ast.AST, ast.AST]:
        if not self._is_complete:
            self._found = dict(_below([self._tree]))
            self._is_complete = True
        return self._found

    def _look_for(self, node: ast.AST) -> None:
        line = getattr(node, "lineno", None)
        if line is None:
            if not isinstance(node, ast.Module):
                self._all()
            return
        for statement in statements_on(self._tree, line):
            if statement not in self._looked_at:
                self._looked_at.add(statement)
                self._found[statement] = self._tree
                self._found.update(_below([statement]))


def _below(level: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes below some, with their parents, level by level."""
    while level:
        below: list[ast.AST] = []
        for node in level:
            found = children(node)
            for child in found:
                yield child, node
            below += found
        level = below
