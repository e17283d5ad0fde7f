"""Python's itertools, operator and math."""

from __future__ import annotations

import ast
import math

from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Const,
    Native,
    RefValue,
    Tuple,
    Value,
    join_all,
    python_number,
)
from jaxref.facts import RefMisused
from jaxref.jaxmodel import array_calls
from jaxref.jaxmodel.registry import Call, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jaxref.interp.machine import Machine

MAX_ITEMS = 64


def _pure(function: Any) -> Any:
    """A pure function of constants, evaluated when all arguments are known."""

    def handler(m: Machine, call: Call) -> Value:
        given = [array_calls.operand(m, value) for value in call.args]
        plain = [_plain(item) for item in given]
        if call.open or call.kwargs or any(item is _NOT_PLAIN for item in plain):
            for value in call.args:
                if isinstance(value, RefValue):
                    m.touch(value, call.node)
                    m.state_fact(
                        RefMisused(
                            m.site(call.node),
                            value,
                            m.ref_object(value),
                            "float",
                            function.__name__,
                        )
                    )
            return python_number(float)
        try:
            found = function(*plain)
        except Exception:
            return UNKNOWN
        return Const(found) if isinstance(found, (bool, int, float)) else UNKNOWN

    return handler


_NOT_PLAIN = object()


def _plain(operand: Any) -> Any:
    if isinstance(operand, Const):
        return operand.value
    if isinstance(operand, (tuple, list)):
        items = [_plain(item) for item in operand]
        return _NOT_PLAIN if any(item is _NOT_PLAIN for item in items) else items
    return _NOT_PLAIN


for _function in (math.prod, math.sqrt, math.ceil, math.floor, math.log, math.log2, math.exp, math.sin, math.cos,
                  math.gcd, math.pow, math.isqrt, math.tanh, math.fabs):  # fmt: skip
    describe(f"math.{_function.__name__}")(_pure(_function))


@describe("itertools.count", "itertools.cycle", "itertools.repeat")
def endless(m: Machine, call: Call) -> Value:
    """Iterators without end."""
    value = call.first()
    name = (
        call.node.func.attr
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute)
        else ""
    )
    if (
        len(call.args) == 2
        and isinstance(call.args[1], Const)
        and isinstance(call.args[1].value, int)
    ):
        if name == "repeat" and call.args[1].value <= MAX_ITEMS:
            return m.new_list((value,) * call.args[1].value, kind="iterator")
    if name == "repeat":
        return m.new_list(None, value, "iterator")
    if name == "cycle":
        return m.new_list(None, m.items(value).any_item(), "iterator")
    return m.new_list(None, python_number(int), "iterator")


@describe("itertools.chain")
def chain(m: Machine, call: Call) -> Value:
    """`itertools.chain(*iterables)`."""
    parts = [m.items(value) for value in call.args]
    if all(part.exact is not None for part in parts) and not call.open:
        return m.new_list(
            tuple(item for part in parts for item in part.exact or ()), kind="iterator"
        )
    return m.new_list(None, join_all([part.any_item() for part in parts]), "iterator")


@describe("itertools.chain.from_iterable")
def chain_from_iterable(m: Machine, call: Call) -> Value:
    """`itertools.chain.from_iterable(iterables)`."""
    outer = m.items(call.first()).exact
    if outer is not None:
        return chain(m, Call(call.node, outer, {}))
    return m.new_list(None, UNKNOWN, "iterator")


@describe("itertools.starmap")
def starmap(m: Machine, call: Call) -> Value:
    """`itertools.starmap(f, rows)`."""
    rows = m.items(call.args[1] if len(call.args) > 1 else UNKNOWN)
    made = []
    for row in rows.all():
        values = m.items(row).exact
        if values is None:
            return m.new_list(None, UNKNOWN, "iterator")
        made.append(m.call(call.first(), Call(call.node, values, {}, False, (None,) * len(values))))
    return m.new_list(tuple(made) if rows.exact is not None else None, join_all(made), "iterator")


@describe("itertools.islice", "itertools.accumulate", "itertools.pairwise", "itertools.product")
def some_items(m: Machine, call: Call) -> Value:
    """Iterators over what they are given, in ways that are not followed."""
    items = m.items(call.first())
    name = (
        call.node.func.attr
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute)
        else ""
    )
    if (
        name == "islice"
        and items.exact is not None
        and len(call.args) == 2
        and isinstance(call.args[1], Const)
    ):
        if isinstance(call.args[1].value, int):
            return m.new_list(items.exact[: call.args[1].value], kind="iterator")
    return m.new_list(None, items.any_item() if name == "islice" else UNKNOWN, "iterator")


_OPERATORS: dict[str, type[ast.operator]] = {
    "add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "truediv": ast.Div, "matmul": ast.MatMult, "pow": ast.Pow,
    "floordiv": ast.FloorDiv, "mod": ast.Mod,
}  # fmt: skip


def _operator(op: type[ast.operator]) -> Any:
    def handler(m: Machine, call: Call) -> Value:
        if len(call.args) != 2:
            return UNKNOWN
        return m.binary(call.node, op(), call.args[0], call.args[1])

    return handler


for _op, _class in _OPERATORS.items():
    describe(f"operator.{_op}", f"operator.i{_op}")(_operator(_class))


@describe("operator.itemgetter", "operator.attrgetter", "operator.methodcaller")
def getter(m: Machine, call: Call) -> Value:
    """`operator.itemgetter(key)`, `operator.attrgetter("name")`."""
    node = call.node.func if isinstance(call.node, ast.Call) else call.node
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    keys = call.args

    def get_item(mm: Machine, inner: Call) -> Value:
        values = tuple(mm.item(inner.args[0], key, inner.node) for key in keys)
        return values[0] if len(values) == 1 else Tuple(values)

    def get_attribute(mm: Machine, inner: Call) -> Value:
        values = tuple(
            mm.get(inner.args[0], str(key.value), inner.node)
            for key in keys
            if isinstance(key, Const)
        )
        return values[0] if len(values) == 1 else Tuple(values)

    if name == "itemgetter":
        return Native("itemgetter", get_item)
    if name == "attrgetter":
        return Native("attrgetter", get_attribute)
    return UNKNOWN


@describe("operator.call")
def operator_call(m: Machine, call: Call) -> Value:
    """`operator.call(f, *args, **kwargs)`."""
    rest = Call(
        call.node,
        call.args[1:],
        call.kwargs,
        call.open,
        call.nodes[1:],
        call.keyword_nodes,
        call.texts[1:],
    )
    return m.call(call.first(), rest)


@describe("operator.getitem")
def getitem(m: Machine, call: Call) -> Value:
    """`operator.getitem(x, key)`."""
    return m.item(call.args[0], call.args[1], call.node) if len(call.args) == 2 else UNKNOWN


@describe("operator.setitem")
def setitem(m: Machine, call: Call) -> Value:
    """`operator.setitem(x, key, value)`."""
    if len(call.args) == 3:
        m.store(call.args[0], call.args[1], call.args[2], call.node)
    return NONE
