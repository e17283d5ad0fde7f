"""Methods of values that are not instances of project classes."""

from __future__ import annotations

from jaxref.domain.heap import DictObject, ListObject, list_of
from jaxref.domain.values import (
    MAX_TEXT,
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Const,
    DictV,
    Function,
    ListV,
    Native,
    Partial,
    RefAt,
    RefAtProperty,
    RefValue,
    Structure,
    Transformed,
    Tuple,
    Value,
    Vjp,
    join,
    join_all,
)
from jaxref.jaxmodel import array_calls, pytrees, refs, transforms, vjp
from jaxref.jaxmodel.registry import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jaxref.interp.machine import Machine


def call(m: Machine, receiver: Value, name: str, inner: Call) -> Value:
    """`receiver.name(...)`."""
    if isinstance(receiver, (ListV, DictV)) and receiver.id not in m.st.objects:
        # Its path has ended; the method was kept from there.
        return UNKNOWN
    if isinstance(receiver, ListV):
        return _of_list(m, receiver, name, inner)
    if isinstance(receiver, DictV):
        return _of_dict(m, receiver, name, inner)
    if isinstance(receiver, RefValue):
        return refs.method(m, receiver, name, inner)
    if isinstance(receiver, Vjp):
        return vjp.method(m, receiver, name, inner)
    if isinstance(receiver, RefAt):
        return refs.view_method(m, receiver, name, inner)
    if isinstance(receiver, RefAtProperty):
        return UNKNOWN
    if isinstance(receiver, Array):
        return array_calls.method(m, receiver, name, inner)
    if isinstance(receiver, Tuple):
        return _of_tuple(m, receiver, name, inner)
    if isinstance(receiver, Const):
        return _of_constant(m, receiver, name, inner)
    if isinstance(receiver, Transformed):
        return transforms.method(m, receiver, name, inner)
    if isinstance(receiver, Structure):
        if name == "unflatten" and inner.args:
            return pytrees.rebuild(m, receiver, inner.args[0])
        return UNKNOWN
    if isinstance(receiver, (Function, BoundMethod, Partial, Native)) and name == "__call__":
        return m.call(receiver, inner)
    m.escape(inner)
    return UNKNOWN


def _of_list(m: Machine, receiver: ListV, name: str, inner: Call) -> Value:
    found = m.object(receiver.id)
    assert isinstance(found, ListObject)
    items = found.items
    args = inner.args

    def put(new: tuple[Value, ...] | None, rest: Value = UNKNOWN) -> None:
        made = ListObject(None, rest, found.kind) if new is None else list_of(new, found.kind)
        m.st.put(receiver.id, made)

    if name in ("append", "add") and len(args) == 1:
        refs.note_kept(m, args[0], inner.node)
        if items is not None and len(items) < 512:
            put((*items, args[0]))
        else:
            put(None, join(found.rest, args[0]) if items is None else join_all([*items, args[0]]))
        return NONE
    if name == "appendleft" and len(args) == 1 and items is not None:
        put((args[0], *items))
        return NONE
    if name in ("extend", "update") and args:
        added = m.items(args[0])
        if items is not None and added.exact is not None:
            put((*items, *added.exact))
        else:
            put(None, join_all([*(items if items is not None else (found.rest,)), *added.all()]))
        return NONE
    if name in ("pop", "popleft"):
        if items is None:
            return found.rest
        index: Any = 0 if name == "popleft" else -1
        if args and name == "pop":
            index = args[0].value if isinstance(args[0], Const) else None
        if isinstance(index, int) and -len(items) <= index < len(items):
            kept = list(items)
            value = kept.pop(index)
            put(tuple(kept))
            return value
        put(None, join_all(list(items)))
        return join_all(list(items))
    if name == "insert" and len(args) == 2:
        if items is not None and isinstance(args[0], Const) and isinstance(args[0].value, int):
            kept = list(items)
            kept.insert(args[0].value, args[1])
            put(tuple(kept))
        else:
            put(None, UNKNOWN)
        return NONE
    if name == "clear":
        put(())
        return NONE
    if name == "copy":
        return ListV(m.allocate(found))
    if name == "reverse" and items is not None:
        put(tuple(reversed(items)))
        return NONE
    if name in ("sort", "remove", "discard"):
        put(None, join_all(list(items)) if items else UNKNOWN)
        return NONE
    if name == "__getitem__" and args:
        return m.item(receiver, args[0], inner.node)
    if name in ("index", "count"):
        return UNKNOWN
    if name in ("union", "difference", "intersection"):
        return m.new_list(None, UNKNOWN, found.kind)
    return UNKNOWN


def _of_tuple(m: Machine, receiver: Tuple, name: str, inner: Call) -> Value:
    if name == "_replace":
        items = [
            inner.kwargs.get(n, v) for n, v in zip(receiver.names, receiver.items, strict=False)
        ]
        return Tuple(tuple(items), receiver.names, receiver.cls, receiver.cls_name)
    if name == "_asdict":
        return DictV(
            m.allocate(DictObject(dict(zip(receiver.names, receiver.items, strict=False))))
        )
    if name == "__getitem__" and inner.args:
        return m.item(receiver, inner.args[0], inner.node)
    return UNKNOWN


def _of_dict(m: Machine, receiver: DictV, name: str, inner: Call) -> Value:
    found = m.object(receiver.id)
    assert isinstance(found, DictObject)
    args = inner.args
    if name in ("items", "keys", "values"):
        if found.open:
            each: Value = found.rest
            if found.entries:
                each = join_all([*found.entries.values(), found.rest])
            if name == "keys":
                each = UNKNOWN
            elif name == "items":
                each = Tuple((UNKNOWN, each))
            return m.new_list(None, each, "iterator")
        keys = [Const(key) if not isinstance(key, Value) else key for key in found.entries]
        if name == "keys":
            return m.new_list(tuple(keys), kind="iterator")
        if name == "values":
            return m.new_list(tuple(found.entries.values()), kind="iterator")
        pairs = tuple(
            Tuple((key, value)) for key, value in zip(keys, found.entries.values(), strict=True)
        )
        return m.new_list(pairs, kind="iterator")
    if name in ("get", "pop", "setdefault"):
        return _look_up(m, receiver, found, name, inner)
    if name == "update":
        return _update(m, receiver, found, inner)
    if name == "copy":
        return DictV(m.allocate(found))
    if name == "clear":
        m.st.put(receiver.id, DictObject({}))
        return NONE
    if name == "popitem":
        m.st.put(receiver.id, DictObject({}, True))
        return Tuple((UNKNOWN, join_all(list(found.entries.values()))))
    if name in ("__getitem__", "__setitem__") and args:
        if name == "__getitem__":
            return m.item(receiver, args[0], inner.node)
        if len(args) == 2:
            m.store(receiver, args[0], args[1], inner.node)
        return NONE
    return UNKNOWN


def _look_up(m: Machine, receiver: DictV, found: DictObject, name: str, inner: Call) -> Value:
    if not inner.args:
        return UNKNOWN
    key = inner.args[0]
    default = inner.args[1] if len(inner.args) > 1 else NONE
    if not isinstance(key, Const):
        if name != "get":
            m.st.put(receiver.id, DictObject(dict(found.entries), True))
        return join_all([*found.entries.values(), found.rest if found.open else default])
    try:
        value = found.entries.get(key.value)
    except TypeError:
        return UNKNOWN
    if value is None:
        if name == "setdefault":
            refs.note_kept(m, default, inner.node)
            m.st.put(
                receiver.id,
                DictObject({**found.entries, key.value: default}, found.open, found.rest),
            )
        return UNKNOWN if found.open else default
    if name == "pop":
        left = {k: v for k, v in found.entries.items() if k != key.value}
        m.st.put(receiver.id, DictObject(left, found.open, found.rest))
    return value


def _update(m: Machine, receiver: DictV, found: DictObject, inner: Call) -> Value:
    entries = dict(found.entries)
    is_open = found.open or inner.open
    for argument in inner.args:
        other = m.object(argument.id) if isinstance(argument, DictV) else None
        if isinstance(other, DictObject):
            entries.update(other.entries)
            is_open = is_open or other.open
        else:
            is_open = True
            entries = {}
    entries.update(inner.kwargs)
    m.st.put(receiver.id, DictObject(entries, is_open))
    return NONE


_STRING_METHODS = frozenset(
    {"lower", "upper", "strip", "startswith", "endswith", "replace", "removeprefix", "removesuffix", "lstrip",
     "rstrip", "title", "capitalize", "isdigit", "isidentifier", "find", "count"}
)  # fmt: skip


def _of_constant(m: Machine, receiver: Const, name: str, inner: Call) -> Value:
    value = receiver.value
    if isinstance(value, str):
        if (
            name in _STRING_METHODS
            and all(isinstance(a, Const) for a in inner.args)
            and not inner.kwargs
        ):
            given = [a.value for a in inner.args if isinstance(a, Const)]
            try:
                if name == "replace" and value.count(given[0]) * len(given[1]) > MAX_TEXT:
                    return UNKNOWN
                result = getattr(value, name)(*given)
            except Exception:
                return UNKNOWN
            return Const(result)
        if name in ("split", "splitlines") and all(isinstance(a, Const) for a in inner.args):
            try:
                parts = getattr(value, name)(*[a.value for a in inner.args if isinstance(a, Const)])
            except Exception:
                return UNKNOWN
            return m.new_list(tuple(Const(part) for part in parts)) if len(parts) < 64 else UNKNOWN
    return UNKNOWN
