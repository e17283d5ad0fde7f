"""What a function's own text says of its names: found once per function, without evaluating it."""

from __future__ import annotations

import ast

from jaxref.quick_dataclasses import dataclass
from jaxref.source.text import Text


@dataclass(frozen=True, slots=True)
class BodyNames:
    """Names that a body declares global or nonlocal, and whether it yields."""

    globals: frozenset[str]
    nonlocals: frozenset[str]
    yields: bool


_EMPTY = BodyNames(frozenset(), frozenset(), False)
_SCOPES = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef})
_CHILDLESS = frozenset({ast.Name, ast.Constant, ast.Pass, ast.Load, ast.Store})


def body_names(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    text: Text,
    cache: dict[int, BodyNames],
) -> BodyNames:
    """The declarations in the body of a function of `text`, nested functions left out."""
    found = cache.get(id(node))
    if found is None:
        starts = text.line_starts
        end = node.end_lineno or node.lineno
        words = text.content[starts[node.lineno - 1] : starts[end] if end < len(starts) else None]
        # The words are looked for first, which is far quicker.
        declares = any(word in words for word in ("yield", "global", "nonlocal"))
        found = cache[id(node)] = _scan(node) if declares else _EMPTY
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
        kind = type(item)
        if kind in _SCOPES:
            continue
        if kind is ast.Global:
            global_names.update(item.names)  # type: ignore[attr-defined]
        elif kind is ast.Nonlocal:
            nonlocal_names.update(item.names)  # type: ignore[attr-defined]
        elif kind is ast.Yield or kind is ast.YieldFrom:
            yields = True
        elif kind in _CHILDLESS:
            continue
        for name in item._fields:
            value = getattr(item, name, None)
            if type(value) is list:
                stack += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST):
                stack.append(value)
    if not (global_names or nonlocal_names or yields):
        return _EMPTY
    return BodyNames(frozenset(global_names), frozenset(nonlocal_names), yields)
