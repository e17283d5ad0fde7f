"""What a condition says of the names in it."""

from __future__ import annotations

import ast

from jaxref.domain.heap import RefObject
from jaxref.domain.values import (
    NONE,
    Array,
    ClassV,
    Const,
    Instance,
    Opaque,
    RefValue,
    Sentinel,
    Symbol,
    Tuple,
    Union,
    Unknown,
    Value,
    Vjp,
    options,
)
from jaxref.interp import attributes, classes
from jaxref.interp.evaluation import evaluate
from jaxref.interp.machine import Machine

REF_CLASSES = frozenset(
    {
        "jax.Ref",
        "jax.ArrayRef",
        "jax.AbstractRef",
        "jax.MutableArray",
        "jax.experimental.MutableArray",
    }
)
ARRAY_CLASSES = frozenset({"jax.Array", "jax.numpy.ndarray", "numpy.ndarray"})
_PYTHON_CLASSES = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.str": str,
    "builtins.bool": bool,
    "builtins.complex": complex,
    "builtins.bytes": bytes,
}


def assume(m: Machine, test: ast.expr, holds: bool) -> None:
    """Narrow names and attributes in the present state by the outcome of `test`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        assume(m, test.operand, not holds)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is holds:
            for part in test.values:
                assume(m, part, holds)
    elif isinstance(test, ast.NamedExpr):
        assume(m, test.target, holds)
    elif isinstance(test, ast.Call):
        if isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2:
            kinds = evaluate(m, test.args[1])
            tested = test.args[0]
            _filter(m, tested, lambda value: is_instance(value, kinds, m), holds, kinds)
            if holds and isinstance(tested, ast.Name):
                found = m.look_up(tested.id)
                if isinstance(found, (RefValue, Vjp)) and is_instance(found, kinds, m) is None:
                    # What is of some other class is perhaps not what it seemed.
                    _rebind(m, tested, Unknown("isinstance"))
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        op = test.ops[0]
        right = test.comparators[0]
        if isinstance(right, ast.Constant) and right.value is None:
            if isinstance(op, (ast.Is, ast.Eq)):
                _filter(m, test.left, _is_none, holds, None)
            elif isinstance(op, (ast.IsNot, ast.NotEq)):
                _filter(m, test.left, _is_none, not holds, None)
        elif isinstance(op, ast.Eq) and holds and isinstance(right, ast.Constant):
            _filter(m, test.left, lambda value: _equals(value, right.value), True, None)
    elif isinstance(test, (ast.Name, ast.Attribute)):
        _filter(m, test, _known_truth, holds, None)


def _is_none(value: Value) -> bool | None:
    if value == NONE:
        return True
    return None if isinstance(value, (Unknown, Opaque)) else False


def _equals(value: Value, constant: object) -> bool | None:
    if isinstance(value, Const):
        return bool(value.value == constant)
    return None


def _known_truth(value: Value) -> bool | None:
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, (Vjp, ClassV)):
        return True
    return None


def _filter(m: Machine, target: ast.expr, verdict, holds: bool, kinds: Value | None) -> None:  # type: ignore[no-untyped-def]
    """Keep the alternatives of `target` for which `verdict` may be `holds`."""
    if not isinstance(target, (ast.Name, ast.Attribute)):
        return
    if isinstance(target, ast.Name):
        current = m.look_up(target.id)
        if current is None:
            return
    else:
        if not isinstance(target.value, ast.Name):
            return
        current = evaluate(m, target)
    if isinstance(current, (Unknown, Opaque)) and holds and kinds is not None:
        proved = _proved(m, current, kinds, target)
        if proved is not None:
            _rebind(m, target, proved)
        return
    if not isinstance(current, Union):
        return
    kept = [option for option in options(current) if verdict(option) is not (not holds)]
    if kept and len(kept) < len(current.options):
        _rebind(m, target, kept[0] if len(kept) == 1 else Union(tuple(kept)))


def _rebind(m: Machine, target: ast.expr, value: Value) -> None:
    if isinstance(target, ast.Name):
        key = m.frame.scope
        while key and target.id not in m.scope(key).names:
            key = m.scope(key).parent
        if key:
            m.st.bind(key, target.id, value)
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        owner = m.look_up(target.value.id)
        if isinstance(owner, Instance):
            attributes.put_attribute(m, owner, target.attr, value)


def _proved(m: Machine, current: Value, kinds: Value, target: ast.expr) -> Value | None:
    """What `isinstance` proves of an unknown value."""
    names = {kind.name for kind in class_options(kinds) if isinstance(kind, Symbol)}
    if names and names <= REF_CLASSES:
        name = target.id if isinstance(target, ast.Name) else m.source(target)
        place = m.place(target)
        made = RefObject(
            place.path, place.span, name, None, None,
            frozenset(trace.id for trace in m.traces), how="parameter",
        )  # fmt: skip
        return RefValue(m.allocate(made))
    if names and names <= ARRAY_CLASSES:
        return Array(origin="any")
    return None


def class_options(kinds: Value) -> list[Value]:
    """The classes of the second argument of `isinstance`."""
    if isinstance(kinds, Tuple):
        return [kind for item in kinds.items for kind in class_options(item)]
    return [kinds]


def is_instance(value: Value, kinds: Value, m: Machine) -> bool | None:
    """`isinstance(value, kinds)`; None when that is not known."""
    verdict: bool | None = False
    for kind in class_options(kinds):
        one = _is_instance(value, kind, m)
        if one is True:
            return True
        if one is None:
            verdict = None
    return verdict


def _is_instance(value: Value, kind: Value, m: Machine) -> bool | None:
    if isinstance(value, Union):
        verdicts = {_is_instance(option, kind, m) for option in value.options}
        return verdicts.pop() if len(verdicts) == 1 else None
    if isinstance(value, (Unknown, Opaque)):
        return None
    if isinstance(kind, ClassV):
        if isinstance(value, Instance):
            if kind in classes.resolution_order(value.cls):
                return True
            return None if value.cls.shape.opaque_base else False
        if isinstance(value, Tuple) and value.cls:
            return value.cls == kind.id
        return None if isinstance(value, Symbol) else False
    if isinstance(kind, Sentinel) and not kind.instance:
        if isinstance(value, Sentinel):
            return value.instance and value.kind == kind.kind
        return None if isinstance(value, Symbol) else False
    if not isinstance(kind, Symbol):
        return None
    name = kind.name
    if name in REF_CLASSES:
        if isinstance(value, RefValue):
            return True
        return None if isinstance(value, Symbol) else False
    if name in ARRAY_CLASSES:
        if isinstance(value, Array):
            if value.origin == "any":
                return None
            if name == "numpy.ndarray":
                return value.origin == "numpy" and value.shape is not None
            return value.origin == "jax"
        if isinstance(value, RefValue):
            # Traced refs are tracers, and tracers pass for arrays.
            return None if m.traces else False
        return None if isinstance(value, Symbol) else False
    python_class = _PYTHON_CLASSES.get(name)
    if python_class is not None:
        if isinstance(value, Const):
            return isinstance(value.value, python_class)
        if isinstance(value, Array):
            if value.origin == "python":
                kind_name = {"bool": bool, "int32": int, "float32": float, "complex64": complex}
                found = kind_name.get(value.dtype or "")
                return None if found is None else issubclass(found, python_class)
            return None if value.origin == "any" else False
        return None if isinstance(value, Symbol) else False
    if isinstance(value, (RefValue, Vjp)) and not name.startswith(_OPEN_MODULES):
        # Classes of other libraries are none that JAX derives from.
        return name == "builtins.object"
    return _is_container(value, name, m)


_OPEN_MODULES = ("jax", "typing", "collections", "abc.", "numbers.", "builtins.object")
"""Where classes come from that many kinds of values pass for, JAX's own ones included."""

_CONTAINERS = {
    "builtins.tuple": "Tuple",
    "builtins.list": "list",
    "builtins.dict": "DictV",
    "collections.abc.Mapping": "DictV",
    "typing.Mapping": "DictV",
    "builtins.set": "set",
}


def _is_container(value: Value, name: str, m: Machine) -> bool | None:
    wanted = _CONTAINERS.get(name)
    if wanted is None:
        return None
    kind = type(value).__name__
    if kind == "ListV":
        kind = m.object(value.id).kind  # type: ignore[attr-defined]
        kind = "Tuple" if kind == "tuple" else kind
    return None if isinstance(value, Symbol) else kind == wanted
