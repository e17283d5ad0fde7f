"""Operators: arithmetic, comparisons, augmented assignment."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from jaxref.domain.heap import MAX_ITEMS, DictObject, ListObject, list_of
from jaxref.domain.values import (
    MAX_TEXT,
    NONE,
    UNKNOWN,
    Array,
    ClassV,
    Const,
    DictV,
    Function,
    Instance,
    ListV,
    ModuleV,
    RefValue,
    Sentinel,
    Symbol,
    Tuple,
    Union,
    Unknown,
    Value,
    Vjp,
    join_all,
    options,
    tuple_of,
)
from jaxref.facts import PlaceholderUsed, RefMisused
from jaxref.interp import assignment, attributes, classes, subscripts
from jaxref.interp.evaluation import evaluate
from jaxref.interp.iteration import items_of
from jaxref.interp.machine import Machine
from jaxref.jaxmodel import array_calls
from jaxref.jaxmodel.registry import plain_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OPERATORS: dict[type[ast.AST], tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", "add", operator.add),
    ast.Sub: ("-", "sub", operator.sub),
    ast.Mult: ("*", "mul", operator.mul),
    ast.Div: ("/", "truediv", operator.truediv),
    ast.FloorDiv: ("//", "floordiv", operator.floordiv),
    ast.Mod: ("%", "mod", operator.mod),
    ast.Pow: ("**", "pow", operator.pow),
    ast.MatMult: ("@", "matmul", operator.matmul),
    ast.LShift: ("<<", "lshift", operator.lshift),
    ast.RShift: (">>", "rshift", operator.rshift),
    ast.BitOr: ("|", "or", operator.or_),
    ast.BitXor: ("^", "xor", operator.xor),
    ast.BitAnd: ("&", "and", operator.and_),
}

_COMPARISONS: dict[type[ast.AST], tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", "eq", operator.eq),
    ast.NotEq: ("!=", "ne", operator.ne),
    ast.Lt: ("<", "lt", operator.lt),
    ast.LtE: ("<=", "le", operator.le),
    ast.Gt: (">", "gt", operator.gt),
    ast.GtE: (">=", "ge", operator.ge),
}

_UNARY: dict[type[ast.AST], tuple[str, str, Callable[[Any], Any]]] = {
    ast.USub: ("-", "neg", operator.neg),
    ast.UAdd: ("+", "pos", operator.pos),
    ast.Invert: ("~", "invert", operator.invert),
}


def binary(m: Machine, node: ast.expr, op: ast.operator, left: Value, right: Value) -> Value:
    """`left op right`."""
    if isinstance(left, Union) or isinstance(right, Union):
        return _unions(m, left, right, lambda a, b: binary(m, node, op, a, b))
    text, name, compute = OPERATORS[type(op)]
    if isinstance(left, Instance) or isinstance(right, Instance):
        return _of_instances(m, node, name, left, right)
    if isinstance(left, RefValue) or isinstance(right, RefValue):
        note_operand(m, node, text, left, right)
        return UNKNOWN
    if _note_placeholder(m, node, left, text) or _note_placeholder(m, node, right, text):
        return UNKNOWN
    if isinstance(left, Const) and isinstance(right, Const):
        found = _constants(compute, left.value, right.value)
        if found is not None:
            return found
    sequences = _sequences(m, text, left, right)
    if sequences is not None:
        return sequences
    return array_calls.binary(m, text, left, right)


def _unions(
    m: Machine, left: Value, right: Value, compute: Callable[[Value, Value], Value]
) -> Value:
    pairs = [(a, b) for a in options(left) for b in options(right)]
    if len(pairs) > 12:
        return UNKNOWN
    return join_all([compute(a, b) for a, b in m.ways(pairs)])


MAX_BITS = 4096
"""The size of a whole number that an operation may make."""


def _constants(compute: Callable[[Any, Any], Any], left: Any, right: Any) -> Value | None:
    """The result of a constant operation; None when it is too large or fails."""
    try:
        if compute is operator.pow and (abs(right) > 64 or abs(left) > 2**32):
            return None
        if compute is operator.lshift and right > 64:
            return None
        if compute is operator.mul and isinstance(left, (str, bytes)) and right > 1000:
            return None
        if compute is operator.mul and isinstance(right, (str, bytes)):
            return None
        if compute is operator.mod and isinstance(left, (str, bytes)):
            return UNKNOWN
        found = compute(left, right)
    except Exception:
        # Python's own error (TypeError, ZeroDivisionError): not ours to report.
        return UNKNOWN
    if isinstance(found, (str, bytes)) and len(found) > MAX_TEXT:
        return UNKNOWN
    if isinstance(found, int) and found.bit_length() > MAX_BITS:
        return UNKNOWN
    return Const(found) if isinstance(found, (bool, int, float, complex, str, bytes)) else UNKNOWN


MAX_REPEAT = 64


def _sequences(m: Machine, text: str, left: Value, right: Value) -> Value | None:
    if text == "+":
        if isinstance(left, Tuple) and isinstance(right, Tuple):
            items = left.items + right.items
            return tuple_of(items) if len(items) <= MAX_ITEMS else UNKNOWN
        if isinstance(left, ListV) and isinstance(right, ListV):
            first, second = m.object(left.id), m.object(right.id)
            if first.items is not None and second.items is not None:
                if len(first.items) + len(second.items) <= MAX_ITEMS:
                    return m.new_list(first.items + second.items)
            return m.new_list(None, join_all(_members(first) + _members(second)))
        if isinstance(left, ListV) or isinstance(right, ListV):
            return UNKNOWN if not (isinstance(left, Array) or isinstance(right, Array)) else None
    if text == "*":
        for sequence, count in ((left, right), (right, left)):
            if isinstance(sequence, (ListV, Tuple)):
                items = (
                    sequence.items if isinstance(sequence, Tuple) else m.object(sequence.id).items
                )
                if items is not None and isinstance(count, Const) and isinstance(count.value, int):
                    if count.value * len(items) <= MAX_REPEAT:
                        repeated = items * count.value
                        return (
                            Tuple(repeated) if isinstance(sequence, Tuple) else m.new_list(repeated)
                        )
                if items is not None and not isinstance(count, Array):
                    return m.new_list(None, join_all(list(items)))
                if items is not None and isinstance(count, Array) and count.origin == "python":
                    return m.new_list(None, join_all(list(items)))
    if text == "|" and isinstance(left, DictV) and isinstance(right, DictV):
        first_dict, second_dict = m.object(left.id), m.object(right.id)
        assert isinstance(first_dict, DictObject) and isinstance(second_dict, DictObject)
        merged = {**first_dict.entries, **second_dict.entries}
        return DictV(m.allocate(DictObject(merged, first_dict.open or second_dict.open)))
    if (text == "|" and isinstance(left, (Symbol, ClassV))) or isinstance(right, ClassV):
        return UNKNOWN
    return None


def _members(found: ListObject) -> list[Value]:
    return list(found.items) if found.items is not None else [found.rest]


def note_operand(m: Machine, node: ast.expr, text: str, left: Value, right: Value) -> None:
    """State that a ref is an operand of an operator."""
    for index, (value, other) in enumerate(((left, right), (right, left))):
        if isinstance(value, RefValue):
            m.touch(value, node)
            certain = isinstance(other, (Array, Const, RefValue, Tuple, ListV))
            expression = _operand(node, index)
            m.state_fact(
                RefMisused(
                    m.site(node, certain), value, m.ref_object(value), "operator", text, index,
                    other, expression,
                )
            )  # fmt: skip
            return


def _operand(node: ast.expr, index: int) -> ast.expr | None:
    if isinstance(node, ast.BinOp):
        return node.left if index == 0 else node.right
    if isinstance(node, ast.UnaryOp):
        return node.operand
    if isinstance(node, ast.Compare):
        return node.left if index == 0 else node.comparators[0]
    return None


def _note_placeholder(m: Machine, node: ast.expr, value: Value, text: str) -> bool:
    if isinstance(value, Sentinel) and value.instance and value.origin is not None:
        m.state_fact(PlaceholderUsed(m.site(node), value, f"`{text}`"))
        return True
    return False


def _of_instances(m: Machine, node: ast.expr, name: str, left: Value, right: Value) -> Value:
    method = classes.special_method(m, left, f"__{name}__")
    if method is not None:
        return m.call(method, plain_call(node, right))
    method = classes.special_method(m, right, f"__r{name}__")
    if method is not None:
        return m.call(method, plain_call(node, left))
    return UNKNOWN


def unary(m: Machine, node: ast.UnaryOp, value: Value) -> Value:
    """A unary operation."""
    if isinstance(node.op, ast.Not):
        from jaxref.interp.truth import truth_of

        verdict = truth_of(m, value, node.operand)
        return UNKNOWN if verdict is None else Const(not verdict)
    if isinstance(value, Union):
        return m.each_option(value, lambda option: unary(m, node, option))
    text, name, compute = _UNARY[type(node.op)]
    if isinstance(value, RefValue):
        note_operand(m, node, text, value, Const(0))
        return UNKNOWN
    if _note_placeholder(m, node, value, text):
        return UNKNOWN
    if isinstance(value, Const):
        try:
            return Const(compute(value.value))
        except Exception:
            return UNKNOWN
    if isinstance(value, Instance):
        method = classes.special_method(m, value, f"__{name}__")
        return m.call(method, plain_call(node)) if method is not None else UNKNOWN
    return array_calls.unary(m, text, value)


def compare(m: Machine, node: ast.Compare) -> Value:
    """A comparison, chained ones included."""
    left = evaluate(m, node.left)
    result: Value | None = None
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = evaluate(m, comparator)
        one = _compare_two(m, node, op, left, right)
        if isinstance(one, Const) and one.value is False and result is None:
            return one
        result = (
            one
            if result is None
            else (one if isinstance(result, Const) and result.value else UNKNOWN)
        )
        left = right
    return UNKNOWN if result is None else result


def _compare_two(m: Machine, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> Value:
    if isinstance(op, (ast.Is, ast.IsNot)):
        verdict = same_object(left, right)
        if verdict is None:
            return UNKNOWN
        return Const(verdict if isinstance(op, ast.Is) else not verdict)
    if isinstance(op, (ast.In, ast.NotIn)):
        verdict = _contains(m, node, left, right)
        if verdict is None:
            return UNKNOWN
        return Const(verdict if isinstance(op, ast.In) else not verdict)
    text, name, compute = _COMPARISONS[type(op)]
    for value, other in ((left, right), (right, left)):
        if isinstance(value, RefValue):
            m.touch(value, node)
            same = isinstance(other, RefValue)
            # A traced ref has no equality of its own: JAX looks for one of arrays and fails.
            how = "compare" if text in ("==", "!=") and not value.via else "operator"
            if same and how == "compare":
                # Whether two names stand for one ref is a fair question.
                return (
                    Const((value.id == other.id) == (text == "=="))
                    if isinstance(other, RefValue)
                    else UNKNOWN
                )
            if isinstance(other, Const) and other.value is None:
                return Const(text == "!=")
            certain = isinstance(other, (Array, Const, RefValue))
            m.state_fact(
                RefMisused(m.site(node, certain), value, m.ref_object(value), how, text,
                           0 if value is left else 1, other, node)
            )  # fmt: skip
            return UNKNOWN
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return Const(bool(compute(left.value, right.value)))
        except Exception:
            return UNKNOWN
    if isinstance(left, Tuple) and isinstance(right, Tuple) and text in ("==", "!="):
        values = [
            _compare_two(m, node, ast.Eq(), a, b)
            for a, b in zip(left.items, right.items, strict=False)
        ]
        if len(left.items) != len(right.items):
            return Const(text == "!=")
        if all(isinstance(v, Const) for v in values):
            equal = all(isinstance(v, Const) and v.value is True for v in values)
            return Const(equal == (text == "=="))
        return UNKNOWN
    if isinstance(left, Symbol) and isinstance(right, Symbol) and text in ("==", "!="):
        return Const((left.name == right.name) == (text == "=="))
    if isinstance(left, Instance) or isinstance(right, Instance):
        return _of_instances(m, node, name, left, right)
    return array_calls.comparison(m, text, left, right)


def same_object(left: Value, right: Value) -> bool | None:
    """`left is right`, or None when that is not known."""
    if isinstance(left, Union):
        verdicts = {same_object(option, right) for option in left.options}
        return verdicts.pop() if len(verdicts) == 1 else None
    if isinstance(right, Union):
        return same_object(right, left)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return None
    for value, other in ((left, right), (right, left)):
        if value == NONE:
            if other == NONE:
                return True
            from jaxref.domain.values import Opaque

            return None if isinstance(other, (Opaque, Symbol)) else False
    if isinstance(left, RefValue) and isinstance(right, RefValue):
        return left.id == right.id
    if isinstance(left, Const) and isinstance(right, Const):
        if (
            isinstance(left.value, bool)
            or isinstance(right.value, bool)
            or ... in (left.value, right.value)
        ):
            return left == right
        return None
    if isinstance(left, (ClassV, Function, ModuleV, Vjp, Symbol, Instance, ListV, DictV)):
        if type(left) is type(right):
            return left == right
        return None if isinstance(right, Symbol) or isinstance(left, Symbol) else False
    return None


def _contains(m: Machine, node: ast.Compare, item: Value, container: Value) -> bool | None:
    if isinstance(item, RefValue) and isinstance(container, (Tuple, ListV)):
        members = items_of(m, container, None).exact
        if members is not None and not any(isinstance(v, RefValue) for v in members) and members:
            if all(isinstance(v, (Const, Array)) for v in members):
                m.touch(item, node)
                m.state_fact(
                    RefMisused(
                        m.site(node), item, m.ref_object(item), "contains", "in", 0, None, node
                    )
                )
        return None
    if isinstance(container, DictV):
        found = m.object(container.id)
        key = subscripts.key_of(item)
        if key is None:
            return None
        if key[0] in found.entries:
            return True
        return None if found.open else False
    if isinstance(container, (Tuple, ListV)):
        members = items_of(m, container, None).exact
        if members is not None and isinstance(item, Const):
            if all(isinstance(member, Const) for member in members):
                return any(member == item for member in members)
        return None
    if isinstance(container, Const) and isinstance(item, Const):
        try:
            if isinstance(container.value, range) and not isinstance(item.value, int):
                # Python would go through all of it.
                return None
            return item.value in container.value
        except TypeError:
            return None
    return None


def augmented(m: Machine, node: ast.AugAssign) -> None:
    """`target op= value`."""
    target = node.target
    if isinstance(target, ast.Name):
        current = evaluate(m, ast.copy_location(ast.Name(target.id, ast.Load()), target))
        value = evaluate(m, node.value)
        assignment.assign(m, target, _augmented_value(m, node, current, value), None)
    elif isinstance(target, ast.Attribute):
        owner = evaluate(m, target.value)
        current = attributes.get_attribute(m, owner, target.attr, target)
        value = evaluate(m, node.value)
        result = _augmented_value(m, node, current, value)
        attributes.set_attribute(m, owner, target.attr, result, target)
    else:
        owner = evaluate(m, target.value)
        index = evaluate(m, target.slice)
        current = subscripts.item_of(m, owner, index, target)
        value = evaluate(m, node.value)
        result = _augmented_value(m, node, current, value)
        subscripts.store_item(m, owner, index, result, target)


def _augmented_value(m: Machine, node: ast.AugAssign, current: Value, value: Value) -> Value:
    text, _, _ = OPERATORS[type(node.op)]
    if isinstance(current, RefValue):
        m.touch(current, node)
        m.state_fact(
            RefMisused(
                m.site(node),
                current,
                m.ref_object(current),
                "augmented",
                text + "=",
                0,
                value,
                node,
            )
        )
        return UNKNOWN
    if isinstance(current, ListV) and text == "+":
        found = m.object(current.id)
        added = items_of(m, value, node.value)
        if isinstance(found, ListObject):
            if found.items is not None and added.exact is not None:
                m.st.put(current.id, list_of(found.items + added.exact, found.kind))
            else:
                rest = join_all(_members(found) + added.all())
                m.st.put(current.id, ListObject(None, rest, found.kind))
        return current
    stand_in = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
    return binary(m, stand_in, node.op, current, value)
