"""What a function's own text says of its names: found once per function, without evaluating it."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BodyNames:
    """Names that a body declares global or nonlocal, and whether it yields."""

    globals: frozenset[str]
    nonlocals: frozenset[str]
    yields: bool


_EMPTY = BodyNames(frozenset(), frozenset(), False)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def body_names(node: ast.AST, cache: dict[int, BodyNames]) -> BodyNames:
    """The declarations in the body of a function, a lambda excluded from its nested functions."""
    found = cache.get(id(node))
    if found is None:
        found = cache[id(node)] = _scan(node)
    return found


def _scan(node: ast.AST) -> BodyNames:
    if isinstance(node, ast.Lambda):
        stack: list[ast.AST] = [node.body]
    else:
        stack = list(getattr(node, "body", ()))
    global_names: set[str] = set()
    nonlocal_names: set[str] = set()
    yields = False
    while stack:
        item = stack.pop()
        if isinstance(item, _SCOPES):
            continue
        if isinstance(item, ast.Global):
            global_names.update(item.names)
        elif isinstance(item, ast.Nonlocal):
            nonlocal_names.update(item.names)
        elif isinstance(item, (ast.Yield, ast.YieldFrom)):
            yields = True
        stack.extend(ast.iter_child_nodes(item))
    if not (global_names or nonlocal_names or yields):
        return _EMPTY
    return BodyNames(frozenset(global_names), frozenset(nonlocal_names), yields)
