"""Syntax trees: walking them, and the lines of statements."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator

_NO_NODES = frozenset(
    {"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module", "asname", "name", "rest",
     "conversion", "simple", "is_async", "kwd_attrs", "type_ignores", "tag", "str"}
)  # fmt: skip
"""Fields that hold no nodes, or operators and contexts, which are single objects that many share."""

_fields: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Constant: (),
    ast.MatchSingleton: (),
    ast.Global: (),
    ast.Nonlocal: (),
}
"""The fields of a type of nodes that can hold nodes, each type's when it is first met."""


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below one, in order; operators and contexts are left out.

    Takes a third of the time of `ast.iter_child_nodes`.
    """
    kind = type(node)
    fields = _fields.get(kind)
    if fields is None:
        # Of those called `name`, only that of the statement `type X = ...` is a node.
        fields = tuple(
            name
            for name in kind._fields
            if name not in _NO_NODES or (name == "name" and kind.__name__ == "TypeAlias")
        )
        _fields[kind] = fields
    found: list[ast.AST] = []
    for name in fields:
        value = getattr(node, name, None)
        if type(value) is list:
            found += value if None not in value else [item for item in value if item is not None]
        elif value is not None:
            found.append(value)
    return found


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """`root` and all nodes below it, in no order; operators and contexts are left out."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += children(node)


def targets_in(body: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """What the statements of a body and those inside of them assign to, in no order.

    Takes a tenth of the time of looking at all nodes; the targets of comprehensions, which can be
    attributes though nobody writes that, are left out.
    """
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is ast.Assign:
            yield from node.targets  # type: ignore[attr-defined]
        elif kind in _WITH_TARGET:
            yield node.target  # type: ignore[attr-defined]
        elif kind is ast.With or kind is ast.AsyncWith:
            for item in node.items:  # type: ignore[attr-defined]
                if item.optional_vars is not None:
                    yield item.optional_vars
        for name in _BODIES:
            stack += getattr(node, name, ())


_WITH_TARGET = frozenset({ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor})
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def first_line(statement: ast.stmt) -> int:
    """The line on which a statement begins, counted from 1: that of its first decorator, if any.

    The `@` itself may stand above it.
    """
    decorators = getattr(statement, "decorator_list", None)
    return decorators[0].lineno if decorators else statement.lineno


def last_line(statement: ast.stmt) -> int:
    """The line on which a statement ends, counted from 1."""
    return statement.end_lineno or statement.lineno


def statements_on(tree: ast.Module, first: int, last: int | None = None) -> list[ast.stmt]:
    """The statements of the top level that stand on the lines from `first` to `last`, counted from 1;
    on `first` alone without."""
    body, end = tree.body, first if last is None else last
    at = bisect_left(body, first, key=last_line)
    found = []
    while at < len(body) and first_line(body[at]) <= end:
        found.append(body[at])
        at += 1
    return found
