"""Truth of values."""

from __future__ import annotations

import ast

from jaxref.domain.heap import DictObject, ListObject
from jaxref.domain.values import (
    BoundMethod,
    ClassV,
    Const,
    DictV,
    Function,
    Instance,
    ListV,
    ModuleV,
    Partial,
    RefValue,
    Sentinel,
    Transformed,
    Tuple,
    Union,
    Unknown,
    Value,
    Vjp,
)
from jaxref.facts import RefMisused
from jaxref.interp.classes import special_method
from jaxref.interp.machine import Machine
from jaxref.jaxmodel.registry import plain_call

_ALWAYS_TRUE = (Function, ClassV, ModuleV, Vjp, Transformed, Partial, BoundMethod, Sentinel)


def truth_of(m: Machine, value: Value, node: ast.expr) -> bool | None:
    """Whether `value` counts as true; None when that is not known. Asking it of a ref is a fact."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Tuple):
        return bool(value.items)
    if isinstance(value, ListV):
        found = m.object(value.id)
        assert isinstance(found, ListObject)
        if found.kind == "iterator":
            return True
        return None if found.items is None else bool(found.items)
    if isinstance(value, DictV):
        entries = m.object(value.id)
        assert isinstance(entries, DictObject)
        if entries.entries:
            return True
        return None if entries.open else False
    if isinstance(value, _ALWAYS_TRUE):
        return True
    if isinstance(value, RefValue):
        m.touch(value, node)
        m.state_fact(
            RefMisused(m.site(node), value, m.ref_object(value), "truth", "truth", expression=node)
        )
        return None
    if isinstance(value, Instance):
        for name in ("__bool__", "__len__"):
            method = special_method(m, value, name)
            if method is not None:
                result = m.call(method, plain_call(node))
                return bool(result.value) if isinstance(result, Const) else None
        return None if value.cls.shape.opaque_base else True
    if isinstance(value, Union):
        verdicts = {truth_of(m, option, node) for option in m.ways(value.options)}
        return verdicts.pop() if len(verdicts) == 1 else None
    return None
