"""The `jax.vmap` that a finding speaks of: where it is made and called, over which axes, of which function."""

from __future__ import annotations

import ast

from jaxref.domain.values import Value
from jaxref.facts import FunctionTraced, RefAccessed
from jaxref.fixes.calls import dotted
from jaxref.fixes.edits import NotPossible
from jaxref.fixes.operands import stored_value
from jaxref.fixes.program import Program
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Map:
    """A call of a mapped function.

    `maker` is the expression `jax.vmap(...)`, or the decorator; `function` what is mapped: an expression,
    or the decorated function. `axes` are those of the positional arguments, None for what is not mapped;
    `listed` is their display where there is one. `arguments` are what is known of the arguments.
    """

    call: ast.Call
    maker: ast.expr
    function: ast.expr | ast.FunctionDef | ast.AsyncFunctionDef
    axes: tuple[int | None, ...]
    listed: ast.Tuple | ast.List | None
    single: ast.expr | None
    arguments: tuple[Value, ...]

    @property
    def decorated(self) -> bool:
        """True for a function under `@jax.vmap`."""
        return isinstance(self.function, ast.stmt)

    def option(self, name: str) -> ast.expr | None:
        """A keyword of `jax.vmap`."""
        keywords = self.maker.keywords if isinstance(self.maker, ast.Call) else []
        return next((one.value for one in keywords if one.arg == name), None)


def map_of(program: Program, fact: RefAccessed) -> Map:
    """The map under which a ref is accessed. Raises `NotPossible` where it is not a simple `jax.vmap`."""
    trace = fact.unbatched
    if trace is None or trace.kind != "vmap" or trace.name != "vmap":
        raise NotPossible
    if sum(one.kind == "vmap" for one in fact.site.traces) != 1:
        raise NotPossible("the maps are nested")
    if any(
        isinstance(other, RefAccessed)
        and other.site.node is fact.site.node
        and other.unbatched is not None
        and other.unbatched.place != trace.place
        for other in program.facts
    ):
        raise NotPossible("several maps run the function")
    call = program.at(trace.place, ast.Call)
    if call is None or any(isinstance(one, ast.Starred) for one in call.args):
        raise NotPossible
    if any(keyword.arg is None for keyword in call.keywords) or not call.args:
        raise NotPossible
    maker, function = _maker(program, call.func)
    arguments = next(
        (
            one.arguments
            for one in program.facts
            if isinstance(one, FunctionTraced) and one.trace.id == trace.id
        ),
        (),
    )
    given = next((one for one in getattr(maker, "keywords", ()) if one.arg == "in_axes"), None)
    spec = given.value if given is not None else _second(program, maker)
    if spec is None or isinstance(spec, ast.Constant):
        axes = (_axis(spec) if spec is not None else 0,) * len(call.args)
        return Map(call, maker, function, axes, None, spec, arguments)
    if not isinstance(spec, (ast.Tuple, ast.List)) or len(spec.elts) != len(call.args):
        raise NotPossible
    axes = tuple(_axis(one) for one in spec.elts)
    return Map(call, maker, function, axes, spec, None, arguments)


def _second(program: Program, maker: ast.expr) -> ast.expr | None:
    """`in_axes` given by position."""
    if not isinstance(maker, ast.Call) or dotted(program, maker.func) != "jax.vmap":
        return None
    return maker.args[1] if len(maker.args) > 1 else None


def _axis(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and (node.value is None or type(node.value) is int):
        return node.value
    raise NotPossible("the mapped axes are not simple")


def _maker(
    program: Program, node: ast.expr
) -> tuple[ast.expr, ast.expr | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The `jax.vmap` expression or decorator behind what is called, and what it maps."""
    if isinstance(node, ast.Call) and node.args:
        name = dotted(program, node.func)
        if name == "jax.vmap":
            return node, node.args[0]
        if name == "jax.jit":
            return _maker(program, node.args[0])
        raise NotPossible
    if not isinstance(node, ast.Name):
        raise NotPossible
    binder = program.scope(node).binder(node.id)
    stores = binder.bound[node.id] if binder is not None else []
    if len(stores) != 1:
        raise NotPossible
    store = stores[0]
    if isinstance(store, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for decorator in store.decorator_list:
            if _is_vmap(program, decorator):
                return decorator, store
        raise NotPossible
    value = stored_value(program, store) if isinstance(store, ast.Name) else None
    if value is None:
        raise NotPossible
    return _maker(program, value)


def _is_vmap(program: Program, decorator: ast.expr) -> bool:
    """True for `@jax.vmap`, `@jax.vmap(...)` and `@functools.partial(jax.vmap, ...)`."""
    if isinstance(decorator, ast.Call):
        name = dotted(program, decorator.func)
        if name == "functools.partial" and len(decorator.args) == 1:
            return dotted(program, decorator.args[0]) == "jax.vmap"
        return name == "jax.vmap" and not decorator.args
    return dotted(program, decorator) == "jax.vmap"
