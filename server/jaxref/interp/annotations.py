"""What an annotation says of a parameter nobody has given a value for."""

from __future__ import annotations

import ast

from jaxref.domain.heap import OpaqueObject, RefObject
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    ClassV,
    DictV,
    Function,
    Opaque,
    RefValue,
    Symbol,
    Tuple,
    Union,
    Unknown,
    Value,
    join,
    python_number,
)
from jaxref.interp import classes
from jaxref.interp.machine import Machine
from jaxref.interp.narrowing import ARRAY_CLASSES, REF_CLASSES

_NUMBERS = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.complex": complex,
    "builtins.bool": bool,
}
MAX_DEPTH = 6


def value_of_parameter(m: Machine, function: Function, parameter: ast.arg) -> Value:
    """The value of a parameter that no call binds: from its annotation, else unknown with an identity."""
    value: Value | None = None
    if parameter.annotation is not None:
        value = value_of(m, parameter.annotation, function.scope, parameter, 0)
    if value is None or isinstance(value, Unknown):
        return Opaque(m.allocate(OpaqueObject(parameter.arg)))
    return value


def declared_result(m: Machine, function: Function) -> Value | None:
    """The value of a call whose result is unknown: from the function's own annotation."""
    node = function.node.returns
    stand_in = ast.copy_location(ast.arg(function.name), node)
    found = value_of(m, node, function.scope, stand_in, 0)
    return found if isinstance(found, (RefValue, Tuple, Array)) else None


def value_of(
    m: Machine, node: ast.expr, scope: int, parameter: ast.arg, depth: int
) -> Value | None:
    """What a value annotated so is; None where the annotation says nothing that helps."""
    if depth > MAX_DEPTH:
        return None
    if isinstance(node, ast.Constant):
        if node.value is None:
            return NONE
        if isinstance(node.value, str):
            try:
                inner = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                # jaxtyping's shape strings and other words are not annotations.
                return None
            return value_of(m, inner, scope, parameter, depth + 1)
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        left = value_of(m, node.left, scope, parameter, depth + 1)
        right = value_of(m, node.right, scope, parameter, depth + 1)
        if left is None or right is None:
            return None
        return join(left, right)
    if isinstance(node, ast.Subscript):
        return _subscripted(m, node, scope, parameter, depth)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _named(m, _static(m, node, scope), parameter)
    return None


def _static(m: Machine, node: ast.expr, scope: int) -> Value | None:
    """The value of a dotted name in a scope, without effects."""
    if isinstance(node, ast.Name):
        key = scope
        while key:
            found = m.scope(key).names.get(node.id)
            if found is not None:
                return found
            key = m.scope(key).parent
        return Symbol(f"builtins.{node.id}")
    if isinstance(node, ast.Attribute):
        owner = _static(m, node.value, scope)
        if isinstance(owner, Symbol):
            from jaxref.jaxmodel.registry import canonical

            return Symbol(canonical(f"{owner.name}.{node.attr}"))
    return None


def _named(m: Machine, kind: Value | None, parameter: ast.arg) -> Value | None:
    if isinstance(kind, Symbol):
        if kind.name in REF_CLASSES:
            return parameter_ref(m, parameter)
        if kind.name in ARRAY_CLASSES:
            return Array(origin="any")
        number = _NUMBERS.get(kind.name)
        if number is int or number is bool:
            return python_number(number)
        return None
    if isinstance(kind, ClassV) and kind.shape.kind in ("plain", "dataclass", "namedtuple"):
        return classes.some_instance(m, kind, parameter)
    return None


def annotated(m: Machine, statement: ast.AnnAssign, name: str, cls: ClassV) -> Value:
    """A field of a class of which only the annotation is known; Unknown where it says nothing."""
    stand_in = ast.copy_location(ast.arg(name), statement.target)
    found = value_of(m, statement.annotation, m.scope(cls.scope).parent, stand_in, 1)
    return UNKNOWN if found is None else found


def parameter_ref(m: Machine, parameter: ast.arg) -> RefValue:
    """A ref that a parameter is annotated to be."""
    place = m.place(parameter)
    made = RefObject(
        place.path, place.span, parameter.arg, None, None,
        frozenset(trace.id for trace in m.traces), how="parameter",
    )  # fmt: skip
    return RefValue(m.allocate(made))


def _subscripted(
    m: Machine, node: ast.Subscript, scope: int, parameter: ast.arg, depth: int
) -> Value | None:
    kind = _static(m, node.value, scope)
    if not isinstance(kind, Symbol):
        return None
    name = kind.name.rpartition(".")[2]
    arguments = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        inner = value_of(m, arguments[0], scope, parameter, depth + 1)
        return None if inner is None else join(inner, NONE)
    if name == "Union":
        values = [value_of(m, argument, scope, parameter, depth + 1) for argument in arguments]
        if any(value is None for value in values):
            return None
        return Union(tuple(value for value in values if value is not None))
    if name == "Annotated":
        return value_of(m, arguments[0], scope, parameter, depth + 1)
    if name in ("list", "List", "Sequence", "Iterable", "Iterator"):
        inner = value_of(m, arguments[0], scope, parameter, depth + 1)
        return None if inner is None else m.new_list(None, inner)
    if name in ("dict", "Dict", "Mapping", "MutableMapping") and len(arguments) == 2:
        inner = value_of(m, arguments[1], scope, parameter, depth + 1)
        if inner is None:
            return None
        from jaxref.domain.heap import DictObject

        return DictV(m.allocate(DictObject({}, True, inner)))
    if name in ("tuple", "Tuple"):
        if (
            len(arguments) == 2
            and isinstance(arguments[1], ast.Constant)
            and arguments[1].value is Ellipsis
        ):
            inner = value_of(m, arguments[0], scope, parameter, depth + 1)
            return None if inner is None else m.new_list(None, inner, "tuple")
        items = [value_of(m, argument, scope, parameter, depth + 1) for argument in arguments]
        return Tuple(tuple(item if item is not None else Unknown("annotation") for item in items))
    return None
