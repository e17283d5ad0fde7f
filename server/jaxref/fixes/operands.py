"""Refs that stand where their content is meant, how to read them in place, and what is stored."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator

from jaxref.domain.heap import ListObject
from jaxref.domain.values import Array, Const, ListV, RefValue, Tuple, Value
from jaxref.facts import RefMade
from jaxref.fixes.edits import NotPossible, Patch, outer_span
from jaxref.fixes.program import Program

POSTFIX = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""Expressions that an index can follow without brackets."""


def is_ref_like(value: Value) -> bool:
    """True for a ref."""
    return isinstance(value, RefValue)


def has_value(program: Program, node: ast.expr, wanted: Callable[[Value], bool]) -> bool:
    """True when the value of `node` is wanted, or an array on some paths."""
    values = program.value(node)
    return any(map(wanted, values)) and all(
        wanted(value) or (isinstance(value, Array) and value.origin != "python") for value in values
    )


def operands(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions whose values `node` works on, those in displays among its arguments included."""
    match node:
        case ast.BinOp():
            yield node.left
            yield node.right
        case ast.UnaryOp():
            yield node.operand
        case ast.Compare():
            yield node.left
            for one in node.comparators:
                yield from _spread(one)
        case ast.Call():
            if isinstance(node.func, ast.Attribute):
                yield node.func.value
            for argument in node.args:
                yield from _spread(argument)
            for keyword in node.keywords:
                yield from _spread(keyword.value)
        case ast.Subscript():
            yield from _spread(node.slice)
        case ast.BoolOp():
            yield from node.values
        case ast.Attribute():
            yield node.value
        case ast.expr():
            yield node


def _spread(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Tuple() | ast.List() | ast.Set():
            for item in node.elts:
                yield from _spread(item)
        case ast.Dict():
            for value in node.values:
                yield from _spread(value)
        case ast.Starred():
            return
        case _:
            yield node


def is_refs(program: Program, node: ast.expr) -> bool:
    """True when the value is a tuple or list of refs of known length."""
    span = program.span(node)
    found = program.seen.get((type(node).__name__, span.start, span.end))
    if found is None:
        return False
    value, held = found
    items: tuple[Value, ...] | None = None
    if isinstance(value, Tuple):
        items = value.items
    elif isinstance(value, ListV) and isinstance(held, ListObject):
        items = held.items if held.items is not None else (held.rest,)
    return bool(items) and all(isinstance(item, RefValue) for item in items or ())


def read(patch: Patch, node: ast.expr) -> None:
    """Read the ref that `node` is: `node[...]`, or what a ref is made of here."""
    program = patch.program
    if sys.version_info < (3, 12) and any(
        isinstance(o, ast.JoinedStr) for o in program.ancestors(node)
    ):
        # Before Python 3.12 the places inside of f-strings are not those in the file.
        raise NotPossible
    initial = _made_of(program, node)
    if initial is not None:
        patch.replace(node, program.source(initial))
        return
    if isinstance(node, POSTFIX):
        patch.insert(program.span(node).end, "[...]")
        return
    inner, outer = program.span(node), outer_span(program, node)
    if inner != outer:
        patch.insert(outer.end, "[...]")
    else:
        patch.insert(inner.start, "(")
        patch.insert(inner.end, ")[...]")


def _made_of(program: Program, node: ast.expr) -> ast.expr | None:
    """What `jax.new_ref(...)` makes a ref of, when that is an array itself."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    initial = [
        fact.initial
        for fact in program.facts
        if isinstance(fact, RefMade) and fact.site.node is node
    ]
    plain = all(
        value.origin == "jax"
        if isinstance(value, Array)
        else isinstance(value, Const) and isinstance(value.value, float)
        for value in initial
    )
    return node.args[0] if initial and plain else None


def stored_value(program: Program, node: ast.AST) -> ast.expr | None:
    """The expression of what is stored at a node: an assignment, its target, or a call."""
    if not program.has(node):
        return None
    if isinstance(node, ast.Call):
        return _stored_argument(node)
    statement = program.statement(node)
    match statement:
        case ast.Assign() if len(statement.targets) == 1:
            return _matching(statement.targets[0], statement.value, node)
        case ast.AugAssign():
            return statement.value
        case ast.AnnAssign():
            return statement.value
    return None


def _stored_argument(call: ast.Call) -> ast.expr | None:
    """The value in `r.set(v)`, `r.addupdate(v, i)`, `jax.ref.swap(r, i, v)`, `jax.ref.addupdate(r, i, v)`."""
    if any(isinstance(argument, ast.Starred) for argument in call.args) or not call.args:
        return None
    for keyword in call.keywords:
        if keyword.arg in ("value", "val", "x"):
            return keyword.value
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if len(call.args) == 3 and name in (
        "addupdate",
        "swap",
        "set",
        "ref_addupdate",
        "ref_swap",
        "ref_set",
    ):
        return call.args[2]
    if (
        isinstance(call.func, ast.Attribute)
        and name in ("addupdate", "swap", "set")
        and len(call.args) < 3
    ):
        return call.args[0]
    return None


def _matching(target: ast.expr, value: ast.expr, node: ast.AST) -> ast.expr | None:
    """The part of `value` that is assigned to the target at `node`."""
    if target is node or not isinstance(target, (ast.Tuple, ast.List)):
        return value
    if not isinstance(value, (ast.Tuple, ast.List)) or len(value.elts) != len(target.elts):
        return None
    for left, right in zip(target.elts, value.elts, strict=True):
        if left is node or any(part is node for part in ast.walk(left)):
            return _matching(left, right, node)
    return None
