"""Python's builtins."""

from __future__ import annotations

import ast

from jaxref.domain.heap import Attributes, DictObject, ListObject
from jaxref.domain.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    ClassV,
    Const,
    DictV,
    Function,
    Instance,
    ListV,
    Method,
    Native,
    Partial,
    RefValue,
    Sentinel,
    Symbol,
    Transformed,
    Tuple,
    Value,
    Vjp,
    join,
    join_all,
    python_number,
)
from jaxref.facts import PlaceholderUsed, RefMisused
from jaxref.jaxmodel import array_calls, refs
from jaxref.jaxmodel.arrays import as_array
from jaxref.jaxmodel.history import HISTORY, exists
from jaxref.jaxmodel.registry import DESCRIPTIONS, Call, canonical, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jaxref.interp.machine import Machine

MAX_ITEMS = 64


@describe("builtins.len")
def py_len(m: Machine, call: Call) -> Value:
    """`len(x)`."""
    value = call.first()
    if isinstance(value, RefValue):
        if value.shape == ():
            m.touch(value, call.node)
            m.state_fact(RefMisused(m.site(call.node), value, m.ref_object(value), "len", "len"))
            return UNKNOWN
        value = Array(value.shape, value.dtype)
    if isinstance(value, Array):
        if value.shape and value.shape[0] is not None:
            return Const(value.shape[0])
        return python_number(int)
    if isinstance(value, Tuple):
        return Const(len(value.items))
    if isinstance(value, ListV):
        items = m.object(value.id).items
        return Const(len(items)) if items is not None else python_number(int)
    if isinstance(value, DictV):
        found = m.object(value.id)
        return python_number(int) if found.open else Const(len(found.entries))
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return Const(len(value.value))
    if isinstance(value, Const) and isinstance(value.value, range):
        try:
            return Const(len(value.value))
        except OverflowError:
            return python_number(int)
    if isinstance(value, Instance):
        method = m.special_method(value, "__len__")
        if method is not None:
            return m.call(method, Call(call.node, (), {}))
    return python_number(int)


@describe("builtins.range")
def py_range(m: Machine, call: Call) -> Value:
    """`range(...)`."""
    if call.args and all(isinstance(a, Const) and isinstance(a.value, int) for a in call.args):
        try:
            return Const(range(*[a.value for a in call.args if isinstance(a, Const)]))
        except (TypeError, ValueError):
            return UNKNOWN
    return m.new_list(None, python_number(int), "iterator")


@describe("builtins.enumerate")
def py_enumerate(m: Machine, call: Call) -> Value:
    """`enumerate(iterable, start=0)`."""
    items = m.items(call.first(), call.expression(0))
    start = call.argument(1, "start", Const(0))
    if items.exact is not None and isinstance(start, Const) and isinstance(start.value, int):
        pairs = tuple(Tuple((Const(start.value + i), item)) for i, item in enumerate(items.exact))
        return m.new_list(pairs, kind="iterator")
    return m.new_list(None, Tuple((python_number(int), items.any_item())), "iterator")


@describe("builtins.zip")
def py_zip(m: Machine, call: Call) -> Value:
    """`zip(*iterables)`: as long as the shortest."""
    columns = [m.items(value, call.expression(index)) for index, value in enumerate(call.args)]
    if call.open or not columns:
        return m.new_list(None, UNKNOWN, "iterator")
    known = [column.exact for column in columns if column.exact is not None]
    endless = [isinstance(value, Native) and value.name == "endless" for value in call.args]
    if len(known) + sum(endless) == len(columns) and known:
        length = min(len(column) for column in known)
        rows = tuple(
            Tuple(tuple(column.item(index) for column in columns)) for index in range(length)
        )
        return m.new_list(rows, kind="iterator")
    return m.new_list(None, Tuple(tuple(column.any_item() for column in columns)), "iterator")


@describe("builtins.map")
def py_map(m: Machine, call: Call) -> Value:
    """`map(f, *iterables)`, evaluated at once."""
    function = call.first()
    columns = [
        m.items(value, call.expression(index + 1)) for index, value in enumerate(call.args[1:])
    ]

    def apply(values: tuple[Value, ...]) -> Value:
        return m.call(function, Call(call.node, values, {}, False, (None,) * len(values)))

    if columns and all(column.exact is not None for column in columns):
        length = min(len(column.exact or ()) for column in columns)
        if length <= MAX_ITEMS:
            rows = [tuple(column.item(index) for column in columns) for index in range(length)]
            return m.new_list(tuple(apply(row) for row in rows), kind="iterator")
    return m.new_list(None, apply(tuple(column.any_item() for column in columns)), "iterator")


@describe("builtins.filter")
def py_filter(m: Machine, call: Call) -> Value:
    """`filter(f, iterable)`."""
    items = m.items(call.args[1] if len(call.args) > 1 else UNKNOWN, call.expression(1))
    kept: list[Value] = []
    exact = items.exact is not None
    for item in items.all():
        value = item if call.first() == NONE else m.call(call.first(), Call(call.node, (item,), {}))
        verdict = m.truth(value, call.node)
        if verdict is None:
            exact = False
        if verdict is not False:
            kept.append(item)
    return m.new_list(tuple(kept) if exact else None, join_all(kept), "iterator")


def _sequence(kind: str) -> Any:
    def handler(m: Machine, call: Call) -> Value:
        if not call.args:
            return Tuple(()) if kind == "tuple" else m.new_list((), kind=kind)
        items = m.items(call.args[0], call.expression(0))
        if items.exact is not None:
            return Tuple(items.exact) if kind == "tuple" else m.new_list(items.exact, kind=kind)
        return m.new_list(None, items.each, kind)

    return handler


for _name, _kind in (
    ("builtins.list", "list"), ("builtins.tuple", "tuple"), ("builtins.set", "set"), ("builtins.iter", "iterator"),
    ("builtins.frozenset", "set"), ("collections.deque", "list"),
):  # fmt: skip
    describe(_name)(_sequence(_kind))


@describe("builtins.sorted", "builtins.reversed")
def py_sorted(m: Machine, call: Call) -> Value:
    """`sorted(x)` of known strings or numbers, `reversed(x)`."""
    items = m.items(call.first(), call.expression(0))
    name = (
        call.node.func.id
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Name)
        else ""
    )
    if items.exact is not None:
        if name == "reversed":
            return m.new_list(tuple(reversed(items.exact)), kind="iterator")
        constants = [item.value for item in items.exact if isinstance(item, Const)]
        if len(constants) == len(items.exact) and not call.kwargs:
            try:
                return m.new_list(tuple(Const(value) for value in sorted(constants)))
            except TypeError:
                return UNKNOWN
        if all(
            isinstance(i, Tuple) and i.items and isinstance(i.items[0], Const) for i in items.exact
        ):
            try:
                ordered = sorted(items.exact, key=lambda t: t.items[0].value)  # type: ignore[attr-defined]
            except TypeError:
                return UNKNOWN
            if not call.kwargs:
                return m.new_list(tuple(ordered))
    return m.new_list(None, items.any_item())


@describe("builtins.next")
def py_next(m: Machine, call: Call) -> Value:
    """`next(iterator)`: takes the first item of an iterator that is known."""
    value = call.first()
    if isinstance(value, ListV):
        found = m.object(value.id)
        if isinstance(found, ListObject) and found.items:
            m.st.put(value.id, ListObject(found.items[1:], UNKNOWN, found.kind))
            return found.items[0]
        return (
            found.rest if found.items is None else (call.args[1] if len(call.args) > 1 else UNKNOWN)
        )
    if isinstance(value, Instance):
        method = m.special_method(value, "__next__")
        if method is not None:
            return m.call(method, Call(call.node, (), {}))
    return UNKNOWN


@describe("builtins.dict", "collections.OrderedDict")
def py_dict(m: Machine, call: Call) -> Value:
    """`dict(mapping_or_pairs, **entries)`."""
    entries: dict[Any, Value] = {}
    is_open = call.open
    if call.args:
        first = call.args[0]
        if isinstance(first, DictV):
            found = m.object(first.id)
            entries.update(found.entries)
            is_open = is_open or found.open
        else:
            pairs = m.items(first, call.expression(0)).exact
            if pairs is None:
                is_open = True
            else:
                for pair in pairs:
                    if (
                        isinstance(pair, Tuple)
                        and len(pair.items) == 2
                        and isinstance(pair.items[0], Const)
                    ):
                        entries[pair.items[0].value] = pair.items[1]
                    else:
                        is_open = True
    entries.update(call.kwargs)
    return DictV(m.allocate(DictObject(entries, is_open)))


@describe("builtins.dict.fromkeys")
def dict_fromkeys(m: Machine, call: Call) -> Value:
    """`dict.fromkeys(keys, value)`: one value for all."""
    keys = m.items(call.first(), call.expression(0)).exact
    value = call.args[1] if len(call.args) > 1 else NONE
    if keys is not None and all(isinstance(key, Const) for key in keys):
        return DictV(
            m.allocate(DictObject({key.value: value for key in keys if isinstance(key, Const)}))
        )
    return DictV(m.allocate(DictObject({}, True, value)))


@describe("collections.defaultdict", "collections.ChainMap", "collections.Counter")
def py_defaultdict(m: Machine, call: Call) -> Value:
    """Dicts that make entries on the way."""
    return DictV(m.allocate(DictObject({}, True)))


@describe("builtins.isinstance")
def py_isinstance(m: Machine, call: Call) -> Value:
    """`isinstance(x, kinds)`."""
    if len(call.args) != 2:
        return UNKNOWN
    verdict = m.is_instance(call.args[0], call.args[1])
    return UNKNOWN if verdict is None else Const(verdict)


@describe("builtins.type")
def py_type(m: Machine, call: Call) -> Value:
    """`type(x)`."""
    value = call.first()
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, RefValue) and not value.via:
        return Symbol("jax.Ref")
    return UNKNOWN


@describe("builtins.getattr")
def py_getattr(m: Machine, call: Call) -> Value:
    """`getattr(x, "name")`."""
    if (
        len(call.args) >= 2
        and isinstance(call.args[1], Const)
        and isinstance(call.args[1].value, str)
    ):
        if len(call.args) == 3 and isinstance(call.args[0], (RefValue, Sentinel)):
            return UNKNOWN
        found = m.get(call.args[0], call.args[1].value, call.node)
        return found if len(call.args) == 2 else join(found, call.args[2])
    return UNKNOWN


@describe("builtins.setattr")
def py_setattr(m: Machine, call: Call) -> Value:
    """`setattr(x, "name", value)`."""
    if len(call.args) == 3:
        owner, name, value = call.args
        if isinstance(owner, Instance):
            found = m.object(owner.id)
            if isinstance(name, Const):
                m.st.put(owner.id, Attributes({**found.names, str(name.value): value}, found.open))
            else:
                names = dict.fromkeys(found.names, UNKNOWN)
                m.st.put(owner.id, Attributes(dict(names), True))
    return NONE


@describe("builtins.hasattr")
def py_hasattr(m: Machine, call: Call) -> Value:
    """`hasattr(x, "name")` of a VJP or an instance."""
    if len(call.args) == 2 and isinstance(call.args[1], Const):
        name = str(call.args[1].value)
        if isinstance(call.args[0], Symbol):
            written = f"{call.args[0].name}.{name}"
            if written in HISTORY:
                return Const(exists(m, written))
            return (
                TRUE
                if canonical(written) in DESCRIPTIONS and written.startswith("jax.")
                else UNKNOWN
            )
        if isinstance(call.args[0], (RefValue, Array)):
            return _has(call.args[0], name)
        if isinstance(call.args[0], Instance) and name in m.object(call.args[0].id).names:
            return TRUE
        if isinstance(call.args[0], Vjp) and name == "with_refs":
            return Const(m.object(call.args[0].id).bound is None)
    return UNKNOWN


def _has(value: RefValue | Array, name: str) -> Value:
    """Whether a ref or an array has an attribute, for names that tell them apart."""
    if name in ("addupdate", "swap", "get", "set", "unsafe_buffer_pointer"):
        if isinstance(value, Array):
            return UNKNOWN if value.origin == "any" else Const(False)
        return Const(True) if value.via or name in refs.EAGER_ATTRIBUTES else Const(False)
    if name in ("shape", "dtype", "ndim", "size", "at", "__getitem__", "__len__"):
        return TRUE
    if isinstance(value, RefValue) and not value.via and not name.startswith("_"):
        return Const(name in refs.EAGER_ATTRIBUTES)
    return UNKNOWN


@describe("builtins.callable")
def py_callable(m: Machine, call: Call) -> Value:
    """`callable(x)`."""
    value = call.first()
    if isinstance(
        value, (Function, ClassV, BoundMethod, Transformed, Partial, Vjp, Native, Method)
    ):
        return TRUE
    if isinstance(value, (Array, RefValue, Tuple, ListV, DictV)) or value == NONE:
        return Const(False)
    return UNKNOWN


@describe("builtins.sum")
def py_sum(m: Machine, call: Call) -> Value:
    """`sum(x, start=0)`."""
    value = call.first()
    if isinstance(value, RefValue):
        m.items(value, call.expression(0))
        return UNKNOWN
    items = m.items(value, None)
    total: Value = call.argument(1, "start", Const(0)) or Const(0)
    members = items.exact if items.exact is not None else (items.each,)
    for item in members:
        if isinstance(item, RefValue):
            m.touch(item, call.node)
            m.state_fact(
                RefMisused(m.site(call.node), item, m.ref_object(item), "operator", "+", 1, None,
                           call.expression(0))
            )  # fmt: skip
            return UNKNOWN
        if isinstance(item, Sentinel) and item.instance and item.origin is not None:
            m.state_fact(PlaceholderUsed(m.site(call.node), item, "`sum`"))
            return UNKNOWN
        total = array_calls.binary(m, "+", total, item)
    return total if items.exact is not None else _widened(total)


def _widened(value: Value) -> Value:
    if isinstance(value, Array):
        return value
    if isinstance(value, Const) and isinstance(value.value, (int, float, complex)):
        return as_array(value)
    return UNKNOWN


@describe("builtins.max", "builtins.min", "builtins.abs", "builtins.round", "builtins.pow")
def py_numbers(m: Machine, call: Call) -> Value:
    """Number functions that refs do not take."""
    name = (
        call.node.func.id
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Name)
        else ""
    )
    for index, value in enumerate(call.args):
        if isinstance(value, RefValue):
            if name in ("max", "min") and len(call.args) == 1:
                m.items(value, call.expression(0))
            else:
                m.touch(value, call.node)
                m.state_fact(
                    RefMisused(m.site(call.node), value, m.ref_object(value), "operator", f"{name}()",
                               index, None, call.expression(index))
                )  # fmt: skip
            return UNKNOWN
    if name == "abs" and isinstance(call.first(), Array):
        return call.first()
    if (
        all(isinstance(a, Const) and isinstance(a.value, (int, float)) for a in call.args)
        and call.args
    ):
        numbers = [a.value for a in call.args if isinstance(a, Const)]
        if name == "pow" and any(abs(number) > 64 for number in numbers):
            # Numbers of any size may come of it, in any time.
            return UNKNOWN
        try:
            functions = {"max": max, "min": min, "abs": abs, "round": round, "pow": pow}
            return Const(functions[name](*numbers))  # type: ignore[operator]
        except Exception:
            return UNKNOWN
    return UNKNOWN


def _conversion(kind: type) -> Any:
    def handler(m: Machine, call: Call) -> Value:
        value = call.first()
        if isinstance(value, RefValue):
            m.touch(value, call.node)
            m.state_fact(
                RefMisused(m.site(call.node), value, m.ref_object(value), "float", kind.__name__, 0, None,
                           call.expression(0))
            )  # fmt: skip
            return UNKNOWN
        if isinstance(value, Sentinel) and value.instance and value.origin is not None:
            m.state_fact(PlaceholderUsed(m.site(call.node), value, f"`{kind.__name__}`"))
            return UNKNOWN
        if isinstance(value, Const) and len(call.args) == 1:
            try:
                return Const(kind(value.value))
            except Exception:
                return UNKNOWN
        if kind is bool:
            verdict = m.truth(value, call.node)
            return UNKNOWN if verdict is None else Const(verdict)
        return python_number(kind)

    return handler


for _type in (int, float, complex, bool):
    describe(f"builtins.{_type.__name__}")(_conversion(_type))


@describe("builtins.str", "builtins.repr", "builtins.format", "builtins.print", "builtins.id", "builtins.hash",
          "builtins.input", "builtins.open", "builtins.vars", "builtins.dir", "builtins.issubclass",
          "builtins.hex", "builtins.ord", "builtins.chr", "logging.info", "logging.debug", "logging.warning",
          "warnings.warn", "jax.block_until_ready", "time.time", "time.perf_counter")  # fmt: skip
def harmless(m: Machine, call: Call) -> Value:
    """Functions that change nothing and whose result does not matter."""
    if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute):
        if call.node.func.attr == "block_until_ready" and call.args:
            return call.args[0]
    value = call.first()
    if (
        isinstance(call.node, ast.Call)
        and isinstance(call.node.func, ast.Name)
        and call.node.func.id == "str"
    ):
        if isinstance(value, Const) and isinstance(value.value, (str, int)):
            return Const(str(value.value))
    return UNKNOWN


@describe("builtins.divmod")
def py_divmod(m: Machine, call: Call) -> Value:
    """`divmod(a, b)`."""
    if len(call.args) != 2:
        return UNKNOWN
    quotient = array_calls.binary(m, "//", call.args[0], call.args[1])
    return Tuple((quotient, array_calls.binary(m, "%", call.args[0], call.args[1])))


@describe("builtins.any", "builtins.all")
def py_any(m: Machine, call: Call) -> Value:
    """`any(x)`, `all(x)` of known truths."""
    items = m.items(call.first(), call.expression(0))
    if items.exact is None:
        return UNKNOWN
    verdicts = [m.truth(item, call.node) for item in items.exact]
    name = (
        call.node.func.id
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Name)
        else ""
    )
    decisive = name == "any"
    if decisive in verdicts:
        return Const(decisive)
    return UNKNOWN if None in verdicts else Const(not decisive)


@describe("builtins.slice")
def py_slice(m: Machine, call: Call) -> Value:
    """`slice(...)`."""
    if all(isinstance(a, Const) for a in call.args) and call.args:
        return Const(slice(*[a.value for a in call.args if isinstance(a, Const)]))
    return UNKNOWN
