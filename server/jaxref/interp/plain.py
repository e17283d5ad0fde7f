"""What has nothing to do with refs, as far as its words and its arguments tell: no more than some steps
are spent on it."""

from __future__ import annotations

import ast

from jaxref.domain.heap import Attributes, DictObject, ListObject
from jaxref.domain.values import (
    UNKNOWN,
    Array,
    ClassV,
    Const,
    DictV,
    Function,
    Instance,
    ListV,
    ModuleV,
    ShapeStruct,
    Symbol,
    Tuple,
    Unknown,
    Value,
)
from jaxref.interp import imports
from jaxref.interp.evaluation import evaluate
from jaxref.interp.machine import BudgetExceeded, Machine
from jaxref.jaxmodel import symbols
from jaxref.jaxmodel.registry import Call, canonical, plain_call
from jaxref.source.walking import walk

_SHORT = frozenset({ast.Name, ast.Attribute, ast.Constant})


def evaluate_outside(m: Machine, node: ast.expr) -> Value:
    """The value of an expression of a statement, or of a decorator. Where that is in no function, what
    takes long and has nothing to do with refs is unknown: tests are made from tables of thousands."""
    if m.frames[-1].function is not None or type(node) in _SHORT:
        return evaluate(m, node)
    module, ways = m.module, len(m.alternatives)
    bound = m.bound(lambda: not imports.interest_of(m, module).concerns(node))
    start = m.steps
    try:
        return evaluate(m, node)
    except BudgetExceeded as error:
        if error.bound is not bound:
            raise
    finally:
        m.bounds.pop()
    m.given_up += m.steps - start
    m.st.live = True
    del m.alternatives[ways:]
    # It was left in the middle of what it does to them.
    names = {inner.id for inner in walk(node) if isinstance(inner, ast.Name)}
    named = [m.look_up(name) for name in sorted(names)]
    m.escape(plain_call(node, *[value for value in named if value is not None]))
    return UNKNOWN


def evaluate_decorator(m: Machine, node: ast.expr, value: Value) -> Value:
    """The value of a decorator of `value`. What nothing is known of is given no arguments where the
    function has nothing to do with refs: those of tests say with which of many cases they are run."""
    if (
        isinstance(node, ast.Call)
        and isinstance(value, Function)
        and m.frame.function is None
        and _is_undescribed(m, node.func)
        and not imports.interest_of(m, value.module).of(value.node)
    ):
        evaluate(m, node.func)
        return UNKNOWN
    return evaluate_outside(m, node)


def _is_undescribed(m: Machine, node: ast.expr) -> bool:
    """Whether an expression is the name of a function outside of the project that is not described."""
    path = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    value = m.look_up(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(value, Symbol):
        return False
    name = value.name
    for attribute in reversed(path):
        name = canonical(f"{name}.{attribute}")
    return not symbols.is_described(name)


def is_plain_call(m: Machine, function: Function, call: Call) -> bool:
    """Whether a call has nothing to do with refs, going by the function's words and its arguments."""
    if imports.interest_of(m, function.module).of(function.node):
        return False
    values = (*call.args, *call.kwargs.values())
    return not any(_may_hold_refs(m, value, 0) for value in values)


_PLAIN = (Unknown, Const, Array, ShapeStruct, Symbol, ModuleV, ClassV)


def _may_hold_refs(m: Machine, value: Value, depth: int) -> bool:
    """Whether a value is or holds something that refs can be reached through."""
    if isinstance(value, _PLAIN):
        return False
    if depth > 3:
        return True
    if isinstance(value, Tuple):
        return any(_may_hold_refs(m, item, depth + 1) for item in value.items)
    found = m.st.objects.get(value.id) if isinstance(value, (ListV, DictV, Instance)) else None
    if isinstance(found, ListObject):
        items = found.items if found.items is not None else (found.rest,)
        return any(_may_hold_refs(m, item, depth + 1) for item in items)
    if isinstance(found, DictObject):
        return any(_may_hold_refs(m, item, depth + 1) for item in found.entries.values())
    if isinstance(found, Attributes):
        return any(_may_hold_refs(m, item, depth + 1) for item in found.names.values())
    if isinstance(value, Function):
        return imports.interest_of(m, value.module).of(value.node)
    return True
