"""Subscripts: reading and storing `value[index]`."""

from __future__ import annotations

import ast

from jaxref.domain.heap import DictObject, ListObject, OpaqueObject
from jaxref.domain.values import (
    UNKNOWN,
    Array,
    ClassV,
    Const,
    DictV,
    Instance,
    ListV,
    Opaque,
    RefAt,
    RefAtProperty,
    RefValue,
    Sentinel,
    Symbol,
    Tuple,
    Union,
    Value,
    join,
    join_all,
)
from jaxref.facts import PlaceholderUsed, RefMisused
from jaxref.interp import classes
from jaxref.interp.evaluation import evaluate
from jaxref.interp.machine import Machine
from jaxref.jaxmodel import array_calls, refs, vjp
from jaxref.jaxmodel.registry import plain_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def key_of(value: Value) -> tuple[Any] | None:
    """A constant dict key as a 1-tuple; None when the key is not known."""
    if isinstance(value, Const):
        try:
            hash(value.value)
        except TypeError:
            return None
        return (value.value,)
    if isinstance(value, Tuple):
        inner = [key_of(item) for item in value.items]
        if all(key is not None for key in inner):
            return (tuple(key[0] for key in inner if key is not None),)
    if isinstance(value, (ClassV, Symbol)):
        return (value,)
    return None


def load(m: Machine, node: ast.Subscript) -> Value:
    """The value of a subscript expression."""
    owner = evaluate(m, node.value)
    index = evaluate(m, node.slice)
    return item_of(m, owner, index, node)


def item_of(m: Machine, owner: Value, index: Value, node: ast.expr) -> Value:
    """`owner[index]`."""
    if isinstance(owner, RefValue):
        if owner.tree and index != Const(Ellipsis):
            return UNKNOWN
        return refs.read(m, owner, index, node)
    if isinstance(owner, (Array, RefAtProperty, RefAt)):
        if isinstance(owner, RefAtProperty):
            return refs.view(m, owner, index, node)
        if isinstance(owner, RefAt):
            return refs.read_view(m, owner, index, node)
        return array_calls.index(m, owner, index, node)
    if isinstance(owner, DictV):
        return _of_dict(m, owner, index)
    if isinstance(owner, Tuple):
        return _of_sequence(owner.items, index, m, True)
    if isinstance(owner, ListV):
        found = m.object(owner.id)
        assert isinstance(found, ListObject)
        if isinstance(index, RefValue):
            m.touch(index, node)
            m.state_fact(
                RefMisused(
                    m.site(node), index, m.ref_object(index), "index", "an index", 0, None, node
                )
            )
            return UNKNOWN
        if found.items is None:
            if isinstance(index, Const) and isinstance(index.value, slice):
                return ListV(m.allocate(ListObject(None, found.rest, found.kind)))
            return found.rest
        return _of_sequence(found.items, index, m, False)
    if isinstance(owner, Union):
        return m.each_option(owner, lambda option: item_of(m, option, index, node))
    if (
        isinstance(owner, Const)
        and isinstance(owner.value, (str, bytes))
        and isinstance(index, Const)
    ):
        try:
            return Const(owner.value[index.value])
        except (TypeError, IndexError, ValueError):
            return UNKNOWN
    if isinstance(owner, Instance):
        method = classes.special_method(m, owner, "__getitem__")
        if method is not None:
            return m.call(method, plain_call(node, index))
        return UNKNOWN
    if isinstance(owner, Sentinel):
        if owner.instance and owner.origin is not None:
            m.state_fact(PlaceholderUsed(m.site(node), owner, "an index"))
        return UNKNOWN
    if isinstance(owner, (Symbol, ClassV)):
        # A generic alias, e.g. `dict[str, jax.Ref]`.
        return owner if isinstance(owner, ClassV) else UNKNOWN
    return UNKNOWN


def _of_dict(m: Machine, owner: DictV, index: Value) -> Value:
    found = m.object(owner.id)
    assert isinstance(found, DictObject)
    key = key_of(index)
    if key is None:
        values = list(found.entries.values())
        if found.open:
            values.append(found.rest)
        return join_all(values)
    value = found.entries.get(key[0])
    if value is not None:
        return value
    return found.rest if found.open else UNKNOWN


def _of_sequence(items: tuple[Value, ...], index: Value, m: Machine, is_tuple: bool) -> Value:
    if isinstance(index, Const):
        if isinstance(index.value, (bool, int)):
            if -len(items) <= index.value < len(items):
                return items[index.value]
            return UNKNOWN
        if isinstance(index.value, slice):
            try:
                part = items[index.value]
            except (TypeError, ValueError):
                return ListV(m.allocate(ListObject(None, join_all(list(items)))))
            return Tuple(part) if is_tuple else ListV(m.allocate(ListObject(part)))
    if array_calls.is_slice(index):
        return ListV(m.allocate(ListObject(None, join_all(list(items)))))
    return join_all(list(items))


def store(m: Machine, target: ast.Subscript, value: Value, source: ast.expr | None) -> None:
    """`owner[index] = value`."""
    owner = evaluate(m, target.value)
    index = evaluate(m, target.slice)
    store_item(m, owner, index, value, target)


def store_item(m: Machine, owner: Value, index: Value, value: Value, node: ast.expr) -> None:
    """Store `value` under `index`."""
    if isinstance(owner, RefValue):
        if not owner.tree or index == Const(Ellipsis):
            refs.write(m, owner, index, value, node)
    elif isinstance(owner, RefAt):
        refs.write_view(m, owner, index, value, node)
    elif isinstance(owner, DictV):
        found = m.object(owner.id)
        assert isinstance(found, DictObject)
        refs.note_kept(m, value, node)
        key = key_of(index)
        if key is None:
            rest = value if not found.entries and not found.open else UNKNOWN
            entries = {k: join(v, value) for k, v in found.entries.items()}
            m.st.put(owner.id, DictObject(entries, True, rest))
        else:
            m.st.put(owner.id, DictObject({**found.entries, key[0]: value}, found.open, found.rest))
    elif isinstance(owner, ListV):
        items = m.object(owner.id)
        assert isinstance(items, ListObject)
        refs.note_kept(m, value, node)
        vjp.restore(m, owner.id, index)
        if items.items is not None and isinstance(index, Const) and isinstance(index.value, int):
            if -len(items.items) <= index.value < len(items.items):
                changed = list(items.items)
                changed[index.value] = value
                m.st.put(owner.id, ListObject(tuple(changed), UNKNOWN, items.kind))
            return
        members = [value, *(items.items if items.items is not None else (items.rest,))]
        if isinstance(index, Const) and isinstance(index.value, slice):
            m.st.put(owner.id, ListObject(None, UNKNOWN, items.kind))
        elif items.items is not None:
            changed_items = tuple(join(item, value) for item in items.items)
            m.st.put(owner.id, ListObject(changed_items, UNKNOWN, items.kind))
        else:
            m.st.put(owner.id, ListObject(None, join_all(members), items.kind))
    elif isinstance(owner, Opaque):
        found_opaque = m.object(owner.id)
        if isinstance(found_opaque, OpaqueObject):
            m.st.put(owner.id, OpaqueObject(found_opaque.name, found_opaque.proved, True))
    elif isinstance(owner, Instance):
        method = classes.special_method(m, owner, "__setitem__")
        if method is not None:
            m.call(method, plain_call(node, index, value))
    elif isinstance(owner, Union):
        for option in m.ways(owner.options):
            if isinstance(option, RefValue):
                refs.write(m, option, index, value, node)
            elif isinstance(option, DictV):
                m.st.put(option.id, DictObject({}, True))
            elif isinstance(option, ListV):
                m.st.put(option.id, ListObject(None, UNKNOWN))
