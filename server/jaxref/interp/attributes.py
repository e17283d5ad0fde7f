"""Attributes: reading and setting them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxref.domain.heap import Attributes
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    ClassV,
    Const,
    Descriptor,
    DictV,
    Function,
    Instance,
    ListV,
    Method,
    ModuleV,
    Native,
    Partial,
    RefAt,
    RefAtProperty,
    RefValue,
    Sentinel,
    ShapeStruct,
    Structure,
    Super,
    Symbol,
    Transformed,
    Tuple,
    Union,
    Unknown,
    Value,
    Vjp,
)
from jaxref.facts import PlaceholderUsed
from jaxref.interp import classes
from jaxref.interp.machine import Machine
from jaxref.jaxmodel import array_calls, pytrees, refs, symbols, vjp
from jaxref.jaxmodel.registry import plain_call
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def get_attribute(m: Machine, value: Value, name: str, node: ast.expr) -> Value:
    """The value of `value.name`."""
    reader = _READERS.get(type(value))
    return UNKNOWN if reader is None else reader(m, value, name, node)


def _of_symbol(m: Machine, value: Symbol, name: str, node: ast.expr) -> Value:
    return symbols.attribute(m, value.name, name, node)


def _of_ref(m: Machine, value: RefValue, name: str, node: ast.expr) -> Value:
    return UNKNOWN if value.tree else refs.attribute(m, value, name, node)


def _of_view(m: Machine, value: RefAt | RefAtProperty, name: str, node: ast.expr) -> Value:
    return refs.view_attribute(m, value, name)


def _of_array(m: Machine, value: Array, name: str, node: ast.expr) -> Value:
    return array_calls.attribute(m, value, name)


def _of_shape_struct(m: Machine, value: ShapeStruct, name: str, node: ast.expr) -> Value:
    return array_calls.attribute(m, Array(value.shape, value.dtype, False), name)


def _of_constant(m: Machine, value: Const, name: str, node: ast.expr) -> Value:
    if isinstance(value.value, (str, bytes)):
        return Method(value, name)
    found = array_calls.attribute(m, value, name)
    return Method(value, name) if isinstance(found, Unknown) else found


def _of_tuple(m: Machine, value: Tuple, name: str, node: ast.expr) -> Value:
    if name in value.names:
        return value.items[value.names.index(name)]
    return Method(value, name)


def _of_container(m: Machine, value: ListV | DictV, name: str, node: ast.expr) -> Value:
    return Method(value, name)


def _of_union(m: Machine, value: Union, name: str, node: ast.expr) -> Value:
    return m.each_option(value, lambda option: get_attribute(m, option, name, node))


def _of_sentinel(m: Machine, value: Sentinel, name: str, node: ast.expr) -> Value:
    if value.instance and value.origin is not None and not name.startswith("__"):
        m.state_fact(PlaceholderUsed(m.site(node), value, f"`.{name}`"))
    return UNKNOWN


def _of_structure(m: Machine, value: Structure, name: str, node: ast.expr) -> Value:
    return pytrees.structure_attribute(m, value, name)


def _of_descriptor(m: Machine, value: Descriptor, name: str, node: ast.expr) -> Value:
    if name == "setter":
        return Native("property.setter", lambda mm, call: replace(value, setter=call.args[0]))
    return UNKNOWN


def _of_module(m: Machine, value: ModuleV, name: str, node: ast.expr) -> Value:
    found = m.scope(value.scope).names.get(name)
    if found is not None:
        return found
    from jaxref.interp.imports import load_module

    inner = load_module(m, f"{value.name}.{name}", value.path, 0)
    return inner if inner is not None else UNKNOWN


def _of_instance(m: Machine, value: Instance, name: str, node: ast.expr) -> Value:
    attributes = m.st.objects.get(value.id)
    if not isinstance(attributes, Attributes):
        # Made on a path that has ended.
        return UNKNOWN
    found = attributes.names.get(name)
    if found is not None:
        if m.traces and isinstance(found, RefValue):
            refs.note_captured(m, found, value.id, name)
        return found
    inherited, known = classes.find_member(m, value.cls, name)
    if inherited is not None:
        return bind_member(m, inherited, value, value.cls, node, name)
    if name == "__class__":
        return value.cls
    if name == "__dict__":
        from jaxref.domain.heap import DictObject

        return DictV(m.allocate(DictObject(dict(attributes.names), True)))
    fallback = classes.special_method(m, value, "__getattr__")
    if fallback is not None:
        return m.call(fallback, plain_call(node, Const(name)))
    return Unknown(f"attribute {name}") if known else UNKNOWN


def bind_member(
    m: Machine, member: Value, receiver: Value, cls: ClassV, node: ast.expr | None, name: str = ""
) -> Value:
    """What a class member gives when it is read through an instance."""
    if isinstance(member, Function):
        return BoundMethod(member, receiver)
    if isinstance(member, (Transformed, Native)):
        return BoundMethod(member, receiver)
    if isinstance(member, Partial):
        # functools.partial objects do not bind; partialmethod is not followed.
        return member
    if isinstance(member, Descriptor):
        if member.kind == "staticmethod":
            return member.function
        if member.kind == "classmethod":
            return BoundMethod(member.function, cls)
        if node is None:
            return UNKNOWN
        result = m.call(BoundMethod(member.function, receiver), plain_call(node))
        if member.kind == "cached_property" and isinstance(receiver, Instance) and name:
            attributes = m.object(receiver.id)
            m.st.put(receiver.id, Attributes({**attributes.names, name: result}, attributes.open))
        return result
    return member


def _of_class(m: Machine, value: ClassV, name: str, node: ast.expr) -> Value:
    found, _ = classes.find_member(m, value, name)
    if found is not None:
        if isinstance(found, Descriptor):
            if found.kind == "staticmethod":
                return found.function
            if found.kind == "classmethod":
                return BoundMethod(found.function, value)
            return found
        return found
    if name == "__name__":
        return Const(value.name)
    if value.shape.kind == "namedtuple" and name == "_make":
        return Native("_make", lambda mm, call: classes.instantiate_from_items(mm, value, call))
    return UNKNOWN


def _of_super(m: Machine, value: Super, name: str, node: ast.expr) -> Value:
    receiver_class = value.receiver.cls if isinstance(value.receiver, Instance) else value.receiver
    order = (
        classes.resolution_order(receiver_class)
        if isinstance(receiver_class, ClassV)
        else [value.cls]
    )
    behind = order[order.index(value.cls) + 1 :] if value.cls in order else []
    for cls in behind:
        if isinstance(cls, ClassV):
            found = m.object(cls.id).names.get(name)
            if found is not None:
                owner = receiver_class if isinstance(receiver_class, ClassV) else value.cls
                return bind_member(m, found, value.receiver, owner, None)
    if name in ("__init__", "__init_subclass__", "__post_init__", "__setattr__"):
        return Native(name, _super_nothing(value, name))
    return UNKNOWN


def _super_nothing(value: Super, name: str):  # type: ignore[no-untyped-def]
    def nothing(m: Machine, call) -> Value:  # type: ignore[no-untyped-def]
        if name == "__setattr__" and len(call.args) == 2 and isinstance(call.args[0], Const):
            if isinstance(value.receiver, Instance):
                put_attribute(m, value.receiver, str(call.args[0].value), call.args[1])
        return NONE

    return nothing


def _of_callable(m: Machine, value: Value, name: str, node: ast.expr) -> Value:
    if name == "__wrapped__":
        if isinstance(value, Transformed):
            return value.function
        return UNKNOWN
    if name == "__name__" and isinstance(value, Function):
        return Const(value.name)
    if isinstance(value, Partial):
        if name == "func":
            return value.function
        if name == "args":
            return Tuple(value.args)
        if name == "keywords":
            return UNKNOWN
    if isinstance(value, BoundMethod):
        if name == "__func__":
            return value.function
        if name == "__self__":
            return value.receiver
    return Method(value, name)


_READERS: dict[type[Value], Callable[[Machine, Any, str, ast.expr], Value]] = {
    Symbol: _of_symbol,
    Instance: _of_instance,
    RefValue: _of_ref,
    RefAt: _of_view,
    RefAtProperty: _of_view,
    Array: _of_array,
    ShapeStruct: _of_shape_struct,
    Const: _of_constant,
    Tuple: _of_tuple,
    ListV: _of_container,
    DictV: _of_container,
    ModuleV: _of_module,
    ClassV: _of_class,
    Super: _of_super,
    Vjp: vjp.attribute,
    Union: _of_union,
    Sentinel: _of_sentinel,
    Structure: _of_structure,
    Descriptor: _of_descriptor,
    Transformed: _of_callable,
    Partial: _of_callable,
    Function: _of_callable,
    Native: _of_callable,
    BoundMethod: _of_callable,
}
"""What an attribute of a value is, by its type; of others nothing is known."""


def put_attribute(m: Machine, owner: Instance | ClassV, name: str, value: Value) -> None:
    """Set an attribute without asking descriptors."""
    attributes = m.object(owner.id)
    assert isinstance(attributes, Attributes)
    m.st.put(owner.id, Attributes({**attributes.names, name: value}, attributes.open))


def set_attribute(m: Machine, owner: Value, name: str, value: Value, node: ast.expr) -> None:
    """`owner.name = value`."""
    if isinstance(owner, Instance):
        member, _ = classes.find_member(m, owner.cls, name)
        if isinstance(member, Descriptor) and member.kind == "property":
            if member.setter is not None:
                m.call(BoundMethod(member.setter, owner), plain_call(node, value))
            return
        setter = classes.special_method(m, owner, "__setattr__")
        if setter is not None:
            m.call(setter, plain_call(node, Const(name), value))
            return
        put_attribute(m, owner, name, value)
        refs.note_kept(m, value, node)
    elif isinstance(owner, ClassV):
        put_attribute(m, owner, name, value)
        refs.note_kept(m, value, node)
    elif isinstance(owner, Vjp) and name == "args_res":
        vjp.restore_all(m, owner)
    elif isinstance(owner, Super) and isinstance(owner.receiver, Instance):
        put_attribute(m, owner.receiver, name, value)
    elif isinstance(owner, ModuleV):
        m.st.bind(owner.scope, name, value)
    elif isinstance(owner, Union):
        # Which of them is written is not known: each may have the new value.
        for option in owner.options:
            if isinstance(option, (Instance, ClassV)):
                put_attribute(m, option, name, UNKNOWN)
