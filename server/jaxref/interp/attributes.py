"""Attributes: reading and setting them."""

from __future__ import annotations

import ast

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
    Opaque,
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

_CONTAINER_METHODS = (ListV, DictV, Tuple, Const)


def get_attribute(m: Machine, value: Value, name: str, node: ast.expr) -> Value:
    """The value of `value.name`."""
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, Symbol):
        return symbols.attribute(m, value.name, name, node)
    if isinstance(value, Instance):
        return _of_instance(m, value, name, node)
    if isinstance(value, RefValue):
        return UNKNOWN if value.tree else refs.attribute(m, value, name, node)
    if isinstance(value, Array):
        return array_calls.attribute(m, value, name)
    if isinstance(value, ModuleV):
        return _of_module(m, value, name)
    if isinstance(value, ClassV):
        return _of_class(m, value, name, node)
    if isinstance(value, Vjp):
        return vjp.attribute(m, value, name, node)
    if isinstance(value, Union):
        return m.each_option(value, lambda option: get_attribute(m, option, name, node))
    if isinstance(value, Tuple) and name in value.names:
        return value.items[value.names.index(name)]
    if isinstance(value, Const) and not isinstance(value.value, (str, bytes)):
        found = array_calls.attribute(m, value, name)
        return Method(value, name) if isinstance(found, Unknown) else found
    if isinstance(value, _CONTAINER_METHODS):
        return Method(value, name)
    if isinstance(value, Super):
        return _of_super(m, value, name)
    if isinstance(value, (Transformed, Partial, Function, Native, BoundMethod)):
        return _of_callable(m, value, name)
    if isinstance(value, (RefAt, RefAtProperty)):
        return refs.view_attribute(m, value, name)
    if isinstance(value, ShapeStruct):
        return array_calls.attribute(m, Array(value.shape, value.dtype, False), name)
    if isinstance(value, Sentinel):
        if value.instance and value.origin is not None and not name.startswith("__"):
            m.state_fact(PlaceholderUsed(m.site(node), value, f"`.{name}`"))
        return UNKNOWN
    if isinstance(value, Structure):
        return pytrees.structure_attribute(m, value, name)
    if isinstance(value, Descriptor):
        if name == "setter":
            return Native("property.setter", lambda mm, call: replace(value, setter=call.args[0]))
        return UNKNOWN
    if isinstance(value, Opaque):
        return UNKNOWN
    return UNKNOWN


def _of_module(m: Machine, value: ModuleV, name: str) -> Value:
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


def _of_super(m: Machine, value: Super, name: str) -> Value:
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


def _of_callable(m: Machine, value: Value, name: str) -> Value:
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
