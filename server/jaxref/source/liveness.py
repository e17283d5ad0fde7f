"""Which values of a function reach nothing: not its result, and nothing that it changes.

Judged by names alone, without regard to order, and on doubt a value is taken to be used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_ARRAY_MODULES = frozenset({"jnp", "np", "numpy", "jax", "lax"})
_NOT_PURE = frozenset(
    {"ref", "debug", "experimental", "pure_callback", "free_ref", "block_until_ready"}
)
_ARRAY_METHODS = frozenset(
    {"sum", "mean", "max", "min", "prod", "astype", "reshape", "transpose", "dot", "copy"}
)
_BINDINGS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def unused(function: ast.AST, node: ast.AST, lost: str | None = None) -> bool:
    """Whether the value of the expression `node`, inside of `function`, reaches nothing.

    What `node` itself does does not count, nor do stores into the items of the name `lost`.
    """
    body = getattr(function, "body", None)
    if not isinstance(body, list):
        return False
    bindings: list[tuple[set[str], set[str]]] = []
    live: set[str] = set()
    home: ast.stmt | None = None
    for owner, statement in _statements(body, None):
        if isinstance(statement, ast.Return) and owner is not None:
            # What a function inside returns matters where the function does.
            bindings.append(({owner}, _loaded(statement)))
            continue
        if any(one is node for one in ast.walk(statement)) and not _is_compound(statement):
            home = statement
        names = _bound(statement)
        if names is None:
            live |= _loaded(statement)
        else:
            bindings.append((names, _loaded(statement)))
    grown = True
    while grown:
        grown = False
        for names, loaded in bindings:
            if names & live and not loaded <= live:
                live |= loaded
                grown = True
    if home is None:
        return False
    if isinstance(home, ast.Expr):
        return home.value is node
    if lost is not None and _stores_into(home, lost):
        return True
    names = _bound(home, node)
    return names is not None and not names & live


def _stores_into(statement: ast.stmt, name: str) -> bool:
    """Whether a statement only stores into items of `name`."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AugAssign):
        targets = [statement.target]
    else:
        return False
    return all(
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id == name
        for target in targets
    ) and _is_pure(statement.value)


def _statements(body: list[ast.stmt], owner: str | None) -> Iterator[tuple[str | None, ast.stmt]]:
    """Statements with the function inside that they belong to, those of compound statements after them."""
    for statement in body:
        yield owner, statement
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _statements(statement.body, statement.name)
            continue
        if isinstance(statement, ast.ClassDef):
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, part, []), owner)
        for handler in getattr(statement, "handlers", []):
            yield from _statements(handler.body, owner)


def _is_compound(statement: ast.stmt) -> bool:
    return hasattr(statement, "body")


def _bound(statement: ast.stmt, besides: ast.AST | None = None) -> set[str] | None:
    """The names that a statement binds, when it does nothing else (`besides` apart); None otherwise."""
    if not isinstance(statement, _BINDINGS) or statement.value is None:
        return None
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names: set[str] = set()
    for target in targets:
        for one in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if not isinstance(one, ast.Name):
                return None
            names.add(one.id)
    return names if statement.value is besides or _is_pure(statement.value) else None


def _is_pure(value: ast.expr) -> bool:
    """Whether an expression calls functions and methods of arrays at most, or ends a ref."""
    for node in ast.walk(value):
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return False
        if isinstance(node, ast.Call) and not _is_array_function(node.func):
            return False
    return True


def _is_array_function(function: ast.expr) -> bool:
    if isinstance(function, ast.Call):
        # `jax.vmap(f)(x)`: the inner call is looked at on its own.
        return True
    names: list[str] = []
    while isinstance(function, ast.Attribute):
        names.append(function.attr)
        function = function.value
    if isinstance(function, ast.Name) and function.id in _ARRAY_MODULES:
        return bool(names) and not _NOT_PURE & set(names)
    return bool(names) and names[0] in _ARRAY_METHODS


def _loaded(statement: ast.stmt) -> set[str]:
    """The names that a statement reads, of a compound one those of its head only."""
    parts: list[ast.AST] = [statement]
    if _is_compound(statement) and not isinstance(statement, ast.ClassDef):
        parts = [
            child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)
        ]
    found = {
        node.id
        for part in parts
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        found.add(statement.target.id)
    return found
