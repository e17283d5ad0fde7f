"""The function of the file that a call of a transformed function runs, and who else runs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxref.domain.values import BoundMethod, Function, Transformed, Value
from jaxref.fixes.edits import NotPossible
from jaxref.fixes.names import last_part
from jaxref.fixes.operands import stored_value
from jaxref.fixes.program import DEFINITIONS, Program
from jaxref.fixes.results import exported
from jaxref.quick_dataclasses import dataclass

Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (*DEFINITIONS, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Callee:
    """A function; `receiver` when its first parameter is filled before the call's arguments."""

    node: Node
    receiver: bool = False

    def parameter(self, key: int | str) -> ast.arg:
        """The parameter that takes an argument, by position or name. Raises `NotPossible` without one."""
        spec = self.node.args
        positional = [*spec.posonlyargs, *spec.args]
        if isinstance(key, int):
            index = key + self.receiver
            if index >= len(positional):
                raise NotPossible
            return positional[index]
        for one in [*spec.args, *spec.kwonlyargs]:
            if one.arg == key:
                return one
        raise NotPossible


def callee(program: Program, node: ast.expr) -> Callee:
    """The function that calling `node` runs, below JAX's transforms. Raises `NotPossible` where it is not known."""
    values = program.value(node)
    value: Value | None = values[0] if len(values) == 1 else None
    if len(values) > 1:
        raise NotPossible
    receiver = False
    while isinstance(value, (Transformed, BoundMethod)):
        receiver = receiver or isinstance(value, BoundMethod)
        value = value.function
    if isinstance(value, Function):
        if not isinstance(value.node, FUNCTIONS) or not program.has(value.node):
            raise NotPossible
        return Callee(value.node, receiver)
    if value is not None:
        raise NotPossible
    return _named(program, node)


def _named(program: Program, node: ast.expr) -> Callee:
    """The function that a name, attribute or lambda stands for, as the file's text tells."""
    match node:
        case ast.Lambda():
            return Callee(node)
        case ast.Name():
            binder = program.scope(node).binder(node.id)
            stores = binder.bound[node.id] if binder is not None else []
        case ast.Attribute(value=ast.Name()):
            stores = [one for one in _same_attributes(program, node) if not _is_loaded(one)]
        case _:
            raise NotPossible
    if len(stores) != 1:
        raise NotPossible
    store = stores[0]
    if isinstance(store, (ast.FunctionDef, ast.AsyncFunctionDef)):
        decorators = {last_part(one) for one in store.decorator_list}
        bound = isinstance(node, ast.Attribute) and "staticmethod" not in decorators
        if decorators & {"classmethod", "property", "cached_property"}:
            raise NotPossible
        return Callee(store, bound)
    if isinstance(store, (ast.Name, ast.Attribute)):
        value = stored_value(program, store)
        if isinstance(value, (ast.Lambda, ast.Call)) or isinstance(node, ast.Attribute):
            if value is not None and not isinstance(value, ast.Name):
                return callee(program, value)
    raise NotPossible


def _is_loaded(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def is_only_run_by(program: Program, node: ast.expr, function: Node) -> bool:
    """True when nothing but the expression `node`, which is called, leads to `function`."""
    match node:
        case ast.Lambda():
            return node is function
        case ast.Call():
            inner = node.args[0] if node.args else None
            return inner is not None and is_only_run_by(program, inner, function)
        case ast.Name():
            binder = program.scope(node).binder(node.id)
            if binder is None or len(binder.bound[node.id]) != 1:
                return False
            if len(binder.read.get(node.id, ())) != 1 or exported(program, node.id):
                return False
            store = binder.bound[node.id][0]
        case ast.Attribute():
            found = list(_same_attributes(program, node))
            if len(found) != 2 or node not in found:
                return False
            store = found[found[0] is node]
        case _:
            return False
    if store is function:
        return True
    if not isinstance(store, (ast.Name, ast.Attribute)):
        return False
    value = stored_value(program, store)
    return value is not None and is_only_run_by(program, value, function)


def _same_attributes(program: Program, node: ast.Attribute) -> Iterator[ast.AST]:
    """The attributes of that name, and the methods of that name in classes."""
    for other in program.parents:
        if isinstance(other, ast.Attribute) and other.attr == node.attr:
            yield other
        elif isinstance(other, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if other.name == node.attr and isinstance(program.parents.get(other), ast.ClassDef):
                yield other


def reads_in(program: Program, function: Node, name: str) -> list[ast.Name]:
    """Where a function, with what is inside of it, reads a name that it does not bind itself, or its
    parameter of that name."""
    scope = program.scopes.of(function)
    return list(scope.read.get(name, ())) if scope is not None else []


def is_only_read(program: Program, function: Node, parameter: ast.arg) -> bool:
    """True when a parameter is only ever indexed to read: what it is given may be an array as well."""
    scope = program.scopes.of(function)
    if scope is None or scope.bound.get(parameter.arg) != [parameter]:
        return False
    return all(is_index_read(program, read) for read in reads_in(program, function, parameter.arg))


def is_index_read(program: Program, node: ast.expr) -> bool:
    """True for `node[...]` that is read, and for its shape and dtype."""
    parent = program.parents.get(node)
    if isinstance(parent, ast.Subscript):
        return parent.value is node and reads_alike(parent)
    return isinstance(parent, ast.Attribute) and parent.attr in ("shape", "dtype", "ndim", "size")


def reads_alike(node: ast.AST) -> bool:
    """True for an indexed read that gives the same of a ref and of the array in it."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return False
    # A ref takes no notice of a new axis, `ref[None]`; an array does.
    return not any(
        isinstance(part, ast.Constant) and part.value is None for part in ast.walk(node.slice)
    )
