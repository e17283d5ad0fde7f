"""Expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxref.domain.heap import MAX_ITEMS, DictObject, ListObject, Scope
from jaxref.domain.values import (
    UNKNOWN,
    Const,
    DictV,
    ListV,
    Method,
    RefValue,
    Tuple,
    Value,
    Vjp,
    join,
    join_all,
    tuple_of,
)
from jaxref.facts import RefMisused
from jaxref.interp import assignment, attributes, calls, operators, subscripts
from jaxref.interp.evaluation import HANDLERS, evaluate, evaluate_optional
from jaxref.interp.iteration import items_of
from jaxref.interp.machine import Machine
from jaxref.interp.narrowing import assume
from jaxref.interp.truth import truth_of
from jaxref.jaxmodel import refs, vjp
from jaxref.jaxmodel.arrays import IndexSlice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _constant(m: Machine, node: ast.Constant) -> Value:
    return Const(node.value)


def _name(m: Machine, node: ast.Name) -> Value:
    value = m.look_up(node.id)
    if value is None:
        return calls.builtin_symbol(node.id)
    if isinstance(value, Vjp):
        vjp.note_loaded(m, value)
    elif m.traces and isinstance(value, RefValue):
        refs.note_captured(m, value, m.holder_of(node.id), node.id)
    return value


def _attribute(m: Machine, node: ast.Attribute) -> Value:
    value = attributes.get_attribute(m, evaluate(m, node.value), node.attr, node)
    if isinstance(value, Method) and isinstance(value.receiver, Vjp):
        # A hover on `with_refs` explains the VJP.
        m.see(node, value.receiver)
    return value


def _tuple(m: Machine, node: ast.Tuple) -> Value:
    items = _elements(m, node.elts)
    if items is None:
        return ListV(m.allocate(ListObject(None, UNKNOWN, "tuple")))
    return tuple_of(tuple(items))


def _list(m: Machine, node: ast.List) -> Value:
    items = _elements(m, node.elts)
    return ListV(m.allocate(ListObject(None if items is None else tuple(items))))


def _set(m: Machine, node: ast.Set) -> Value:
    items = _elements(m, node.elts)
    return ListV(m.allocate(ListObject(None if items is None else tuple(items), UNKNOWN, "set")))


def _elements(m: Machine, nodes: list[ast.expr]) -> list[Value] | None:
    """The values of list elements with stars spliced in; None when their number is not known."""
    found: list[Value] = []
    known = True
    for node in nodes:
        if isinstance(node, ast.Starred):
            items = items_of(m, evaluate(m, node.value), node.value)
            if items.exact is None or len(found) + len(items.exact) > MAX_ITEMS:
                known = False
            else:
                found += items.exact
        else:
            found.append(evaluate(m, node))
    return found if known else None


def _dict(m: Machine, node: ast.Dict) -> Value:
    entries: dict[Any, Value] = {}
    is_open = False
    rest: Value | None = None
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(m, value_node)
        if key_node is None:
            inner = m.object(value.id) if isinstance(value, DictV) else None
            if isinstance(inner, DictObject):
                entries.update(inner.entries)
                is_open = is_open or inner.open
            else:
                is_open = True
            continue
        key = subscripts.key_of(evaluate(m, key_node))
        if key is None:
            is_open = True
            rest = value if rest is None else join(rest, value)
        else:
            entries[key[0]] = value
    return DictV(m.allocate(DictObject(entries, is_open, UNKNOWN if rest is None else rest)))


def _subscript(m: Machine, node: ast.Subscript) -> Value:
    return subscripts.load(m, node)


def _call(m: Machine, node: ast.Call) -> Value:
    return calls.evaluate_call(m, node)


def _lambda(m: Machine, node: ast.Lambda) -> Value:
    return calls.define_function(m, node)


def _if_expression(m: Machine, node: ast.IfExp) -> Value:
    verdict = truth_of(m, evaluate(m, node.test), node.test)
    if verdict is not None:
        assume(m, node.test, verdict)
        return evaluate(m, node.body if verdict else node.orelse)

    def yes() -> Value:
        assume(m, node.test, True)
        return evaluate(m, node.body)

    def no() -> Value:
        assume(m, node.test, False)
        return evaluate(m, node.orelse)

    return m.branch(yes, no)


def _boolean(m: Machine, node: ast.BoolOp) -> Value:
    return _boolean_from(m, node, 0)


def _boolean_from(m: Machine, node: ast.BoolOp, index: int) -> Value:
    value = evaluate(m, node.values[index])
    if index == len(node.values) - 1:
        return value
    stops = isinstance(node.op, ast.Or)
    verdict = truth_of(m, value, node.values[index])
    if verdict is stops:
        return value
    if verdict is not None:
        return _boolean_from(m, node, index + 1)

    def stop() -> Value:
        assume(m, node.values[index], stops)
        return value

    def go_on() -> Value:
        assume(m, node.values[index], not stops)
        return _boolean_from(m, node, index + 1)

    return m.branch(stop, go_on)


def _binary(m: Machine, node: ast.BinOp) -> Value:
    left = evaluate(m, node.left)
    right = evaluate(m, node.right)
    return operators.binary(m, node, node.op, left, right)


def _unary(m: Machine, node: ast.UnaryOp) -> Value:
    return operators.unary(m, node, evaluate(m, node.operand))


def _compare(m: Machine, node: ast.Compare) -> Value:
    return operators.compare(m, node)


def _named(m: Machine, node: ast.NamedExpr) -> Value:
    value = evaluate(m, node.value)
    assignment.assign(m, node.target, value, node.value)
    return value


def _starred(m: Machine, node: ast.Starred) -> Value:
    return evaluate(m, node.value)


def _slice(m: Machine, node: ast.Slice) -> Value:
    parts = [evaluate_optional(m, part) for part in (node.lower, node.upper, node.step)]
    if all(isinstance(part, Const) for part in parts):
        return Const(slice(*[part.value for part in parts if isinstance(part, Const)]))
    return IndexSlice(*parts)


def _formatted(m: Machine, node: ast.JoinedStr) -> Value:
    parts: list[str] = []
    known = True
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = evaluate(m, part.value)
            if (
                isinstance(value, RefValue)
                and part.format_spec is not None
                and part.conversion == -1
            ):
                if not value.via:
                    m.touch(value, part.value)
                    m.state_fact(
                        RefMisused(m.site(part.value), value, m.ref_object(value), "format", "a format", 0, None,
                                   part.value)
                    )  # fmt: skip
            if isinstance(value, Const) and part.format_spec is None and part.conversion == -1:
                parts.append(str(value.value))
            else:
                known = False
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value))
    return Const("".join(parts)) if known else UNKNOWN


def _await(m: Machine, node: ast.Await) -> Value:
    return evaluate(m, node.value)


def _yield(m: Machine, node: ast.Yield) -> Value:
    value = evaluate_optional(m, node.value)
    frame = m.frame
    if frame.on_yield is not None:
        frame.on_yield(value)
        return UNKNOWN
    frame.yields.append(value)
    if frame.uncertain:
        frame.yields_exactly = False
    return UNKNOWN


def _yield_from(m: Machine, node: ast.YieldFrom) -> Value:
    items = items_of(m, evaluate(m, node.value), node.value)
    frame = m.frame
    frame.yields += items.all()
    if items.exact is None or frame.uncertain:
        frame.yields_exactly = False
    return UNKNOWN


def _list_comprehension(m: Machine, node: ast.ListComp) -> Value:
    return ListV(m.allocate(comprehend(m, node.generators, lambda: evaluate(m, node.elt), "list")))


def _set_comprehension(m: Machine, node: ast.SetComp) -> Value:
    return ListV(m.allocate(comprehend(m, node.generators, lambda: evaluate(m, node.elt), "set")))


def _generator(m: Machine, node: ast.GeneratorExp) -> Value:
    return ListV(
        m.allocate(comprehend(m, node.generators, lambda: evaluate(m, node.elt), "iterator"))
    )


def _dict_comprehension(m: Machine, node: ast.DictComp) -> Value:
    def pair() -> Value:
        return Tuple((evaluate(m, node.key), evaluate(m, node.value)))

    found = comprehend(m, node.generators, pair, "list")
    if found.items is None:
        rest = found.rest.items[1] if isinstance(found.rest, Tuple) else UNKNOWN
        return DictV(m.allocate(DictObject({}, True, rest)))
    entries: dict[Any, Value] = {}
    is_open = False
    rest_value: Value | None = None
    for item in found.items:
        assert isinstance(item, Tuple)
        key = subscripts.key_of(item.items[0])
        if key is None:
            is_open = True
            rest_value = item.items[1] if rest_value is None else join(rest_value, item.items[1])
        else:
            entries[key[0]] = item.items[1]
    return DictV(
        m.allocate(DictObject(entries, is_open, UNKNOWN if rest_value is None else rest_value))
    )


COMPREHENSION_PASSES = 16


def comprehend(
    m: Machine, generators: list[ast.comprehension], element: Callable[[], Value], kind: str
) -> ListObject:
    """The items of a comprehension, in a scope of its own."""
    frame = m.frame
    outer = frame.scope
    frame.scope = m.allocate(Scope(outer, {}, "comprehension"))
    produced: list[Value] = []
    exact = True

    def level(index: int) -> None:
        nonlocal exact
        if index == len(generators):
            produced.append(element())
            return
        generator = generators[index]
        items = items_of(m, evaluate(m, generator.iter), generator.iter)
        if items.exact is not None and len(items.exact) <= COMPREHENSION_PASSES:
            values = list(items.exact)
        else:
            exact = False
            # Two items that are what they are, so that things made for each are told apart.
            values = [items.item(0), items.item(1)]
        for value in values:
            # Comprehensions in each other double the work at each level without a statement.
            m.step()
            assignment.assign(m, generator.target, value, None)
            verdict: bool | None = True
            for condition in generator.ifs:
                one = truth_of(m, evaluate(m, condition), condition)
                if one is False:
                    verdict = False
                    break
                assume(m, condition, True)
                if one is None:
                    verdict = None
            if verdict is False:
                continue
            if verdict is None:
                exact = False
            level(index + 1)

    frame.uncertain += 1
    try:
        level(0)
    finally:
        frame.uncertain -= 1
        frame.scope = outer
    if exact:
        return ListObject(tuple(produced), UNKNOWN, kind)
    return ListObject(None, join_all(produced), kind)


HANDLERS.update(
    {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Tuple: _tuple,
        ast.List: _list,
        ast.Set: _set,
        ast.Dict: _dict,
        ast.Subscript: _subscript,
        ast.Call: _call,
        ast.Lambda: _lambda,
        ast.IfExp: _if_expression,
        ast.BoolOp: _boolean,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.Compare: _compare,
        ast.NamedExpr: _named,
        ast.Starred: _starred,
        ast.Slice: _slice,
        ast.JoinedStr: _formatted,
        ast.Await: _await,
        ast.Yield: _yield,
        ast.YieldFrom: _yield_from,
        ast.ListComp: _list_comprehension,
        ast.SetComp: _set_comprehension,
        ast.GeneratorExp: _generator,
        ast.DictComp: _dict_comprehension,
    }
)
