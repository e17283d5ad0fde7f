"""Python's builtins and the parts of its standard library that programs with refs are made of."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any

from jaxref.domain.heap import Attributes, Cell, DictObject, ListObject, Scope
from jaxref.domain.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    ClassShape,
    ClassV,
    Const,
    Descriptor,
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

if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

MAX_ITEMS = 64


def _first(call: Call) -> Value:
    return call.args[0] if call.args else UNKNOWN


@describe("builtins.len")
def py_len(m: Machine, call: Call) -> Value:
    """`len(x)`."""
    value = _first(call)
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
    if isinstance(value, Const) and isinstance(value.value, (str, bytes, range)):
        return Const(len(value.value))
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
    items = m.items(_first(call), _node(call, 0))
    start = call.argument(1, "start", Const(0))
    if items.exact is not None and isinstance(start, Const) and isinstance(start.value, int):
        pairs = tuple(Tuple((Const(start.value + i), item)) for i, item in enumerate(items.exact))
        return m.new_list(pairs, kind="iterator")
    return m.new_list(None, Tuple((python_number(int), items.any_item())), "iterator")


def _node(call: Call, index: int) -> ast.expr | None:
    found = call.nodes[index] if index < len(call.nodes) else None
    return found if found is not None else (call.node if isinstance(call.node, ast.expr) else None)


@describe("builtins.zip")
def py_zip(m: Machine, call: Call) -> Value:
    """`zip(*iterables)`: as long as the shortest."""
    columns = [m.items(value, _node(call, index)) for index, value in enumerate(call.args)]
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
    function = _first(call)
    columns = [m.items(value, _node(call, index + 1)) for index, value in enumerate(call.args[1:])]

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
    items = m.items(call.args[1] if len(call.args) > 1 else UNKNOWN, _node(call, 1))
    kept: list[Value] = []
    exact = items.exact is not None
    for item in items.all():
        value = item if _first(call) == NONE else m.call(_first(call), Call(call.node, (item,), {}))
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
        items = m.items(call.args[0], _node(call, 0))
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
    items = m.items(_first(call), _node(call, 0))
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
    value = _first(call)
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
            pairs = m.items(first, _node(call, 0)).exact
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
    keys = m.items(_first(call), _node(call, 0)).exact
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
    value = _first(call)
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
    value = _first(call)
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
    value = _first(call)
    if isinstance(value, RefValue):
        m.items(value, _node(call, 0))
        return UNKNOWN
    items = m.items(value, None)
    total: Value = call.argument(1, "start", Const(0)) or Const(0)
    members = items.exact if items.exact is not None else (items.each,)
    for item in members:
        if isinstance(item, RefValue):
            m.touch(item, call.node)
            m.state_fact(
                RefMisused(m.site(call.node), item, m.ref_object(item), "operator", "+", 1, None,
                           _node(call, 0))
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
                m.items(value, _node(call, 0))
            else:
                m.touch(value, call.node)
                m.state_fact(
                    RefMisused(m.site(call.node), value, m.ref_object(value), "operator", f"{name}()",
                               index, None, _node(call, index))
                )  # fmt: skip
            return UNKNOWN
    if name == "abs" and isinstance(_first(call), Array):
        return _first(call)
    if (
        all(isinstance(a, Const) and isinstance(a.value, (int, float)) for a in call.args)
        and call.args
    ):
        try:
            functions = {"max": max, "min": min, "abs": abs, "round": round, "pow": pow}
            return Const(functions[name](*[a.value for a in call.args if isinstance(a, Const)]))  # type: ignore[operator]
        except Exception:
            return UNKNOWN
    return UNKNOWN


def _conversion(kind: type) -> Any:
    def handler(m: Machine, call: Call) -> Value:
        value = _first(call)
        if isinstance(value, RefValue):
            m.touch(value, call.node)
            m.state_fact(
                RefMisused(m.site(call.node), value, m.ref_object(value), "float", kind.__name__, 0, None,
                           _node(call, 0))
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
    value = _first(call)
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


@describe("builtins.any", "builtins.all")
def py_any(m: Machine, call: Call) -> Value:
    """`any(x)`, `all(x)` of known truths."""
    items = m.items(_first(call), _node(call, 0))
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


@describe("builtins.object", "types.SimpleNamespace", "argparse.Namespace")
def py_namespace(m: Machine, call: Call) -> Value:
    """An object that only has the attributes it is given."""
    key = m.memo.get("namespace class")
    if key is None:
        shape = ClassShape()
        key = ClassV(
            m.allocate(Attributes({})),
            "SimpleNamespace",
            None,
            m.frames[0].scope,
            m.frames[0].module,
            (),
            shape,
        )
        m.memo["namespace class"] = key
        m.st.objects[key.id] = Attributes({})
    if key.id not in m.st.objects:
        m.st.put(key.id, Attributes({}))
    return Instance(m.allocate(Attributes(dict(call.kwargs), call.open)), key)


@describe(
    "builtins.property",
    "functools.cached_property",
    "builtins.staticmethod",
    "builtins.classmethod",
)
def py_descriptor(m: Machine, call: Call) -> Value:
    """Descriptors."""
    node = call.node
    kind = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    if isinstance(node, ast.Call):
        kind = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
    if kind not in ("property", "staticmethod", "classmethod", "cached_property"):
        kind = "property"
    return Descriptor(kind, _first(call))


# -- functools, itertools, dataclasses, ... ------------------------------------------------------


@describe("functools.partial", "jax.tree_util.Partial")
def partial(m: Machine, call: Call) -> Value:
    """`functools.partial(f, *args, **kwargs)`."""
    if call.open or not call.args:
        return UNKNOWN
    if isinstance(call.args[0], Symbol) and len(call.args) == 1 and call.kwargs:
        # `partial(jax.jit, static_argnums=0)` is a decorator.
        name = call.args[0].name
        if name in DESCRIPTIONS and name in ("jax.jit", "jax.vmap", "jax.checkpoint", "jax.grad",
                                             "jax.value_and_grad", "jax.custom_vjp", "jax.shard_map"):  # fmt: skip
            return Partial(call.args[0], (), tuple(call.kwargs.items()))
    return Partial(call.args[0], call.args[1:], tuple(call.kwargs.items()))


@describe("functools.reduce")
def reduce(m: Machine, call: Call) -> Value:
    """`functools.reduce(f, iterable, initial)`."""
    if len(call.args) < 2:
        return UNKNOWN
    items = m.items(call.args[1], _node(call, 1))
    if items.exact is None or len(items.exact) > MAX_ITEMS:
        seed = call.args[2] if len(call.args) > 2 else items.any_item()
        result = m.call(
            call.args[0], Call(call.node, (seed, items.any_item()), {}, False, (None, None))
        )
        return join(seed, result)
    values = list(items.exact)
    if len(call.args) > 2:
        values.insert(0, call.args[2])
    if not values:
        return UNKNOWN
    total = values[0]
    for value in values[1:]:
        total = m.call(call.args[0], Call(call.node, (total, value), {}, False, (None, None)))
    return total


@describe("functools.wraps", "typing.overload", "typing.no_type_check", "typing.final", "typing.override", "abc.abstractmethod",
          "atexit.register", "typing.runtime_checkable", "functools.total_ordering",
          "pytest.fixture", "jax.named_scope", "jax.profiler.annotate_function",
          "beartype.beartype", "jaxtyping.jaxtyped", "typeguard.typechecked", "chex.assert_max_traces",
          "unittest.skip", "unittest.skipIf", "pytest.mark.parametrize", "pytest.mark.skipif")  # fmt: skip
def transparent(m: Machine, call: Call) -> Value:
    """Decorators that hand the function on, with or without arguments."""
    first = _first(call)
    node = call.node
    used_plainly = not (
        isinstance(node, ast.Call) and first in [*call.args] and _is_argument(node, first, m)
    )
    if (
        isinstance(first, (Function, ClassV, Transformed, Partial, BoundMethod, Descriptor))
        and used_plainly
    ):
        return first
    return Native("transparent", lambda mm, inner: inner.args[0] if inner.args else UNKNOWN)


def _is_argument(node: ast.Call, value: Value, m: Machine) -> bool:
    """True for `wraps(f)` in `@wraps(f)`: the call names a function it does not decorate."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in (
        "wraps",
        "lru_cache",
        "parametrize",
        "skipif",
        "skip",
        "skipIf",
    ) or not isinstance(value, Function)


@describe("contextlib.contextmanager", "contextlib.asynccontextmanager")
def contextmanager(m: Machine, call: Call) -> Value:
    """A generator function becomes one whose calls wait for a `with` statement."""
    return Transformed("contextmanager", _first(call), {})


@describe("functools.lru_cache", "functools.cache")
def cached(m: Machine, call: Call) -> Value:
    """Calls with the same arguments give the same result."""

    def make(function: Value) -> Value:
        return Transformed("cache", function, {"cell": Const(m.allocate(Cell({})))})

    first = _first(call)
    if isinstance(first, (Function, Transformed, BoundMethod, Partial, ClassV)):
        return make(first)
    return Native("lru_cache", lambda mm, inner: make(inner.args[0] if inner.args else UNKNOWN))


@describe("functools.singledispatch")
def singledispatch(m: Machine, call: Call) -> Value:
    """A function with further implementations by the type of its first argument."""
    return Transformed("singledispatch", _first(call), {"cell": Const(m.allocate(Cell({})))})


@describe(
    "dataclasses.dataclass",
    "flax.struct.dataclass",
    "chex.dataclass",
    "equinox.module_update_wrapper",
)
def dataclass(m: Machine, call: Call) -> Value:
    """`@dataclass`, with or without arguments."""

    def make(cls: Value, name: str) -> Value:
        if isinstance(cls, ClassV):
            m.make_dataclass(cls, pytree=name.startswith(("flax.", "chex.")))
        return cls

    name = _callee(m, call)
    if call.args and isinstance(call.args[0], ClassV):
        return make(call.args[0], name)
    return Native(
        "dataclass", lambda mm, inner: make(inner.args[0] if inner.args else UNKNOWN, name)
    )


def _callee(m: Machine, call: Call) -> str:
    node = call.node.func if isinstance(call.node, ast.Call) else call.node
    value = m.evaluate(node) if isinstance(node, (ast.Name, ast.Attribute)) else UNKNOWN
    return value.name if isinstance(value, Symbol) else ""


@describe("dataclasses.field", "flax.struct.field", "equinox.field", "equinox._module.field")
def field(m: Machine, call: Call) -> Value:
    """`field(default=..., default_factory=..., metadata=...)`."""
    names = dict(call.kwargs)
    metadata = names.get("metadata")
    if isinstance(metadata, DictV):
        entries = m.object(metadata.id).entries
        if entries.get("static") == TRUE:
            names["metadata static"] = TRUE
    placeholder = py_namespace(m, Call(call.node, (), {}))
    assert isinstance(placeholder, Instance)
    m.st.put(placeholder.id, Attributes(names))
    return Descriptor("field", placeholder)


@describe("dataclasses.asdict")
def asdict(m: Machine, call: Call) -> Value:
    """`dataclasses.asdict(x)`."""
    value = _first(call)
    if isinstance(value, Instance) and value.cls.shape.kind == "dataclass":
        names = m.object(value.id).names
        entries: dict[Any, Value] = {
            name: names.get(name, UNKNOWN) for name in value.cls.shape.fields
        }
        return DictV(m.allocate(DictObject(entries)))
    return UNKNOWN


@describe("dataclasses.astuple")
def astuple(m: Machine, call: Call) -> Value:
    """`dataclasses.astuple(x)`."""
    value = _first(call)
    if isinstance(value, Instance) and value.cls.shape.kind == "dataclass":
        names = m.object(value.id).names
        return Tuple(tuple(names.get(name, UNKNOWN) for name in value.cls.shape.fields))
    return UNKNOWN


@describe(
    "asyncio.run",
    "asyncio.create_task",
    "asyncio.ensure_future",
    "asyncio.wait_for",
    "asyncio.shield",
)
def awaited(m: Machine, call: Call) -> Value:
    """Coroutines are evaluated where they are called: these hand the result on."""
    return _first(call)


@describe("asyncio.gather")
def gather(m: Machine, call: Call) -> Value:
    """`asyncio.gather(*coroutines)`: their results in order."""
    if call.open:
        return m.new_list(None, join_all(list(call.args)))
    return m.new_list(call.args)


@describe("asyncio.sleep")
def sleep(m: Machine, call: Call) -> Value:
    """`asyncio.sleep(delay, result=None)`."""
    return call.args[1] if len(call.args) > 1 else NONE


@describe("dataclasses.replace", "copy.replace", "equinox.tree_at")
def dataclass_replace(m: Machine, call: Call) -> Value:
    """`dataclasses.replace(x, **changes)`."""
    return m.replace_fields(_first(call), call)


@describe("collections.namedtuple", "typing.NamedTuple")
def namedtuple(m: Machine, call: Call) -> Value:
    """`namedtuple("Name", "a b")`, `NamedTuple("Name", [("a", int)])`."""
    if len(call.args) < 2 or not isinstance(call.args[0], Const):
        return UNKNOWN
    spec = call.args[1]
    names: list[str] = []
    if isinstance(spec, Const) and isinstance(spec.value, str):
        names = spec.value.replace(",", " ").split()
    else:
        items = m.items(spec).exact
        if items is None:
            return UNKNOWN
        for item in items:
            name = item.items[0] if isinstance(item, Tuple) and item.items else item
            if not isinstance(name, Const):
                return UNKNOWN
            names.append(str(name.value))
    shape = ClassShape("namedtuple", names, init_fields=list(names))
    defaults = call.kwargs.get("defaults")
    if defaults is not None:
        values = m.items(defaults).exact or ()
        shape.defaults = dict(zip(names[len(names) - len(values) :], values, strict=False))

    scope = m.allocate(Scope(m.frame.scope, {}, "class"))
    return ClassV(
        m.allocate(Attributes({})), str(call.args[0].value), call.node, scope, m.module, (), shape
    )


@describe("itertools.count", "itertools.cycle", "itertools.repeat")
def endless(m: Machine, call: Call) -> Value:
    """Iterators without end."""
    value = _first(call)
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
    outer = m.items(_first(call)).exact
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
        made.append(m.call(_first(call), Call(call.node, values, {}, False, (None,) * len(values))))
    return m.new_list(tuple(made) if rows.exact is not None else None, join_all(made), "iterator")


@describe("itertools.islice", "itertools.accumulate", "itertools.pairwise", "itertools.product")
def some_items(m: Machine, call: Call) -> Value:
    """Iterators over what they are given, in ways that are not followed."""
    items = m.items(_first(call))
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


@describe("typing.cast")
def cast(m: Machine, call: Call) -> Value:
    """`typing.cast(kind, value)` is `value`."""
    return call.args[1] if len(call.args) == 2 else UNKNOWN


@describe("typing.assert_type", "typing.reveal_type")
def first_argument(m: Machine, call: Call) -> Value:
    """Functions that hand their first argument on."""
    return _first(call)


@describe("contextlib.suppress", "pytest.raises", "pytest.warns")
def suppressing(m: Machine, call: Call) -> Value:
    """Context managers that swallow exceptions; the `with` statement reads which."""
    return Symbol("with:suppress")


@describe("contextlib.nullcontext")
def nullcontext(m: Machine, call: Call) -> Value:
    """`contextlib.nullcontext(value)`."""
    return m.new_list((_first(call) if call.args else NONE,), kind="iterator")


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
    return m.call(_first(call), rest)


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
