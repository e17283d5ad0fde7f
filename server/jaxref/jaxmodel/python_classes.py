"""Python's dataclasses, named tuples, namespaces and descriptors."""

from __future__ import annotations

import ast

from jaxref.domain.heap import Attributes, DictObject, Scope
from jaxref.domain.values import (
    TRUE,
    UNKNOWN,
    ClassShape,
    ClassV,
    Const,
    Descriptor,
    DictV,
    Instance,
    Native,
    Symbol,
    Tuple,
    Value,
)
from jaxref.jaxmodel.registry import Call, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jaxref.interp.machine import Machine


@describe("builtins.object", "types.SimpleNamespace", "argparse.Namespace")
def py_namespace(m: Machine, call: Call) -> Value:
    """An object that only has the attributes it is given."""
    key = m.memo.get("namespace class")
    if key is None:
        # Of the own module, which is there on every path.
        own = next(one for one in m.modules.values() if one is not None and one.own)
        key = ClassV(
            m.allocate(Attributes({})), "SimpleNamespace", None, own.scope, own, (), ClassShape()
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
    return Descriptor(kind, call.first())


# -- functools, itertools, dataclasses, ... ------------------------------------------------------


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
    value = call.first()
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
    value = call.first()
    if isinstance(value, Instance) and value.cls.shape.kind == "dataclass":
        names = m.object(value.id).names
        return Tuple(tuple(names.get(name, UNKNOWN) for name in value.cls.shape.fields))
    return UNKNOWN


@describe("dataclasses.replace", "copy.replace", "equinox.tree_at")
def dataclass_replace(m: Machine, call: Call) -> Value:
    """`dataclasses.replace(x, **changes)`."""
    return m.replace_fields(call.first(), call)


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
