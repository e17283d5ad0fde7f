"""What iterating over a value gives."""

from __future__ import annotations

import ast

from jaxref.domain.heap import DictObject, ListObject
from jaxref.domain.values import (
    UNKNOWN,
    Array,
    Const,
    DictV,
    Instance,
    ListV,
    Native,
    RefValue,
    Sentinel,
    Tuple,
    Union,
    Unknown,
    Value,
    join_all,
    python_number,
)
from jaxref.facts import PlaceholderUsed, RefMisused
from jaxref.interp.machine import Machine
from jaxref.jaxmodel.registry import plain_call
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Items:
    """The items of an iterable: all of them in order when `exact`, else what each may be."""

    exact: tuple[Value, ...] | None
    each: Value = UNKNOWN
    may_be_empty: bool = True
    series: tuple[Value, ...] | None = None

    def item(self, index: int) -> Value:
        """The item at `index` as far as it is known."""
        known = self.exact if self.exact is not None else self.series
        if known is not None and index < len(known):
            return known[index]
        return self.each

    def any_item(self) -> Value:
        """What any of the items may be."""
        if self.exact is not None:
            return join_all(list(self.exact))
        return self.each

    def all(self) -> list[Value]:
        """The items, or one that stands for all."""
        return list(self.exact) if self.exact is not None else [self.each]


MAX_ITEMS = 64


def items_of(m: Machine, value: Value, node: ast.expr | None) -> Items:
    """The items of `value` when it is iterated at `node`."""
    if isinstance(value, Unknown):
        return Items(None)
    if isinstance(value, Tuple):
        return Items(value.items, may_be_empty=not value.items)
    if isinstance(value, ListV):
        found = m.object(value.id)
        if isinstance(found, ListObject):
            if found.items is not None:
                return Items(found.items)
            return Items(None, found.rest)
        return Items(None)
    if isinstance(value, DictV):
        entries = m.object(value.id)
        assert isinstance(entries, DictObject)
        keys = tuple(Const(key) if not isinstance(key, Value) else key for key in entries.entries)
        return Items(None) if entries.open else Items(keys)
    if isinstance(value, Array):
        if value.shape:
            item = Array(
                value.shape[1:], value.dtype, value.weak, value.origin, value.taint, value.batch
            )
            length = value.shape[0]
            if length is not None and length <= MAX_ITEMS:
                return Items((item,) * length)
            return Items(None, item, may_be_empty=length is None or length == 0)
        return Items(
            None, Array(None, value.dtype, value.weak, value.origin, value.taint, value.batch)
            if value.shape is None else UNKNOWN,
        )  # fmt: skip
    if isinstance(value, Const):
        if isinstance(value.value, str):
            return Items(tuple(Const(char) for char in value.value[:MAX_ITEMS]))
        if isinstance(value.value, range):
            numbers = value.value
            # `len` fails for what no list could hold.
            if len(numbers[: MAX_ITEMS + 1]) <= MAX_ITEMS:
                return Items(tuple(Const(number) for number in numbers))
            first = tuple(Const(number) for number in numbers[:2])
            return Items(None, python_number(int), may_be_empty=False, series=first)
        return Items(None)
    if isinstance(value, RefValue):
        if node is not None and not value.tree:
            m.touch(value, node)
            m.state_fact(
                RefMisused(
                    m.site(node),
                    value,
                    m.ref_object(value),
                    "iterate",
                    "iteration",
                    expression=node,
                )
            )
        return Items(None)
    if isinstance(value, Sentinel) and value.instance and value.origin is not None:
        if node is not None:
            m.state_fact(PlaceholderUsed(m.site(node), value, "iteration"))
        return Items(None)
    if isinstance(value, Union):
        parts = [items_of(m, option, None) for option in value.options]
        if all(part.exact is not None for part in parts):
            lengths = {len(part.exact or ()) for part in parts}
            if len(lengths) == 1:
                columns = zip(*[part.exact or () for part in parts], strict=True)
                return Items(tuple(join_all(list(column)) for column in columns))
        return Items(None, join_all([part.any_item() for part in parts]))
    if isinstance(value, Instance):
        from jaxref.interp.calls import call_value
        from jaxref.interp.classes import special_method

        method = special_method(m, value, "__iter__")
        if method is not None and node is not None:
            result = call_value(m, method, plain_call(node))
            return (
                _stepped(m, result, node)
                if isinstance(result, Instance)
                else items_of(m, result, None)
            )
        return Items(None)
    if isinstance(value, Native) and value.name == "range":
        return Items(None, python_number(int))
    return Items(None)


MAX_STEPS = 8


def _stepped(m: Machine, iterator: Instance, node: ast.expr) -> Items:
    """The items of an iterator class, by calling its `__next__` until it raises."""
    from jaxref.interp.calls import call_value
    from jaxref.interp.classes import special_method

    method = special_method(m, iterator, "__next__")
    if method is None:
        return Items(None)
    found: list[Value] = []
    for _ in range(MAX_STEPS):
        before = m.st.fork()
        value = call_value(m, method, plain_call(node))
        if not m.st.live:
            m.st = before
            return Items(tuple(found))
        found.append(value)
    return Items(None, join_all(found), series=tuple(found[:2]))


def list_from(m: Machine, items: Items, kind: str = "list") -> ListV:
    """A new list with these items."""
    if items.exact is not None:
        return ListV(m.allocate(ListObject(items.exact, UNKNOWN, kind)))
    return ListV(m.allocate(ListObject(None, items.each, kind)))
