"""Transformed functions: `jit`, `checkpoint` and what calling them does."""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxref.domain.heap import Cell
from jaxref.domain.trees import flatten, leaf_values, map_leaves
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Native,
    Pending,
    RefValue,
    Symbol,
    Transformed,
    Tuple,
    Value,
    Vjp,
    map_options,
)
from jaxref.facts import Binding, FunctionTraced, Place, Trace, VjpInfo
from jaxref.jaxmodel import refs
from jaxref.jaxmodel.arrays import as_array
from jaxref.jaxmodel.registry import TRANSFORMED_CALLS, Call, calls, describe
from jaxref.jaxmodel.tracing import (
    argnum_list,
    as_traced,
    function_name,
    into_trace,
    out_of_trace,
    parameter_names,
    taint_of,
)
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine, TraceLog


_TRANSFORMS = {
    "jax.jit": "jit",
    "jax.pjit": "jit",
    "jax.experimental.pjit.pjit": "jit",
    "jax.vmap": "vmap",
    "jax.checkpoint": "checkpoint",
    "jax.custom_vjp": "custom_vjp",
    "jax.custom_jvp": "custom_jvp",
    "jax.shard_map": "shard_map",
    "jax.named_call": "same",
    "jax.ensure_compile_time_eval": "same",
}


def _transform(kind: str) -> Callable[[Machine, Call], Value]:
    def handler(m: Machine, call: Call) -> Value:
        options = dict(call.kwargs)
        names = {"vmap": ("in_axes", "out_axes"), "shard_map": ("mesh", "in_specs", "out_specs")}
        options.update(zip(names.get(kind, ()), call.args[1:], strict=False))
        function = call.args[0] if call.args else options.pop("fun", None) or options.pop("f", None)
        if function is None:
            # `@jax.jit(static_argnums=0)`, `partial(jax.vmap, in_axes=1)` used as a decorator.
            return Native(kind, lambda mm, inner: make(mm, kind, inner.args[0] if inner.args else UNKNOWN,
                                                       options, call.node))  # fmt: skip
        return make(m, kind, function, options, call.node)

    return handler


for _name, _kind in _TRANSFORMS.items():
    describe(_name)(_transform(_kind))


def make(m: Machine, kind: str, function: Value, options: dict[str, Value], node: ast.AST) -> Value:
    """`function` under a transform."""
    if kind == "same":
        return function
    if kind in ("custom_vjp", "custom_jvp"):
        options = {**options, "cell": Const(m.allocate(Cell({})))}
    return Transformed(kind, function, options, m.place(node) if m.frames else None)


def call(m: Machine, function: Transformed, inner: Call) -> Value:
    """The value of calling a transformed function."""
    handler = TRANSFORMED_CALLS.get(function.kind)
    if handler is None:
        return UNKNOWN
    return handler(m, function, inner)


# -- the common way of tracing -------------------------------------------------------------------


def passed_refs(m: Machine, call: Call, positions: list[int]) -> list[tuple[RefValue, str]]:
    """The refs among arguments with the user's words for them."""
    found = []
    for index in positions:
        words = call.texts[index] if index < len(call.texts) else ""
        for leaf in flatten(call.args[index], m.st).leaves:
            for ref in refs.contained(m, leaf.value):
                found.append((ref, words + leaf.path if words else m.ref_object(ref).name or ""))
    for name, value in call.kwargs.items():
        found += [(ref, name) for ref in refs.contained(m, value)]
    return found


def state_traced(
    m: Machine, node: ast.AST, trace: Trace, log: TraceLog, passed: list[tuple[RefValue, str]],
    result: Value, returns: Place | None, entering: tuple[Binding, ...] = (),
    arguments: tuple[Value, ...] = (),
) -> None:  # fmt: skip
    """State that a function was traced, with the refs that went in and came out."""
    returned = tuple((ref, m.ref_object(ref)) for ref in refs.contained(m, result))
    leaving: list[VjpInfo] = []
    leaving_bound = False
    for leaf in leaf_values(result, m.st):
        if isinstance(leaf, Vjp):
            found = m.object(leaf.id)
            leaving.append(found.info)
            leaving_bound = leaving_bound or found.bound is not None
    m.state_fact(
        FunctionTraced(
            m.site(node),
            trace,
            tuple((ref, m.ref_object(ref), words) for ref, words in passed),
            tuple((ref, m.ref_object(ref), place) for ref, place in log.captured.values()),
            returned,
            returns,
            entering,
            tuple(leaving),
            leaving_bound,
            flatten(result, m.st) if returned else None,
            arguments,
        )
    )


def bound_vjps(m: Machine, values: list[Value]) -> tuple[Binding, ...]:
    """The bindings of bound VJPs among arguments."""
    found = []
    for value in values:
        for leaf in leaf_values(value, m.st):
            if isinstance(leaf, Vjp):
                bound = m.object(leaf.id).bound
                if bound is not None:
                    found.append(bound)
    return tuple(found)


def last_return(m: Machine) -> Place | None:
    """Where the function that was just evaluated returned."""
    found = m.recent.get("last return")
    return found if isinstance(found, Place) else None


def arrays_of(m: Machine, value: Value) -> Value:
    """A result of a traced function: numbers have become arrays."""

    def one(leaf: Value) -> Value:
        if isinstance(leaf, Const) and isinstance(leaf.value, (bool, int, float, complex)):
            return replace(as_array(leaf), origin="jax")
        if isinstance(leaf, Array):
            return as_traced(leaf)
        return leaf

    return map_leaves(value, m.st, lambda leaf: map_options(leaf, one), m.allocate)


def trace_function(
    m: Machine, kind: str, label: str, node: ast.AST, function: Value, args: list[Value],
    kwargs: dict[str, Value] | None = None, passed: list[tuple[RefValue, str]] | None = None,
    static: frozenset[int] = frozenset(), is_open: bool = False,
    static_names: frozenset[str] = frozenset(),
) -> Value:  # fmt: skip
    """Evaluate a function under a staged trace and state what happened."""
    given = passed
    if given is None:
        given = [
            (ref, m.ref_object(ref).name or "")
            for value in args
            for ref in refs.contained(m, value)
        ]
    for ref, _ in given:
        # What is passed on from an enclosing function is closed over there.
        m.touch(ref, node, use=False)
    trace = m.new_trace(
        kind, label, node, function_name(function), frozenset(ref.id for ref, _ in given)
    )
    entering = bound_vjps(m, [*args, *(kwargs or {}).values()])
    with m.tracing(trace) as log:
        inside = tuple(
            value if index in static else into_trace(m, value, trace.id, taint=False)
            for index, value in enumerate(args)
        )
        named = {
            name: value if name in static_names else into_trace(m, value, trace.id, taint=False)
            for name, value in (kwargs or {}).items()
        }
        m.recent["last return"] = None
        result = m.call(function, Call(node, inside, named, is_open, (None,) * len(inside)))
        returns = last_return(m)
    result = arrays_of(m, result)
    state_traced(m, node, trace, log, given, result, returns, entering)
    return without_refs(m, out_of_trace(m, result, trace.id))


def without_refs(m: Machine, value: Value) -> Value:
    """A result of staged code, which JAX refuses when it holds a ref: there is nothing to go on with."""

    def one(leaf: Value) -> Value:
        return UNKNOWN if isinstance(leaf, RefValue) else leaf

    return map_leaves(value, m.st, lambda leaf: map_options(leaf, one), m.allocate)


# -- jit -----------------------------------------------------------------------------------------


def static_positions(m: Machine, function: Transformed, count: int) -> frozenset[int] | None:
    """The positions that `static_argnums` and `static_argnames` take out of tracing."""
    found: set[int] = set()
    numbers = function.options.get("static_argnums")
    if numbers is not None and numbers != NONE:
        listed = argnum_list(m, numbers)
        if listed is None:
            return frozenset(range(count))
        found.update(number % count if count else number for number in listed)
    parameters = parameter_names(m, function.function)
    for name in static_names(m, function):
        if name in parameters:
            found.add(parameters.index(name))
    return frozenset(found)


def static_names(m: Machine, function: Transformed) -> frozenset[str]:
    """The names in `static_argnames`."""
    value = function.options.get("static_argnames")
    if value is None:
        return frozenset()
    if isinstance(value, Const) and isinstance(value.value, str):
        return frozenset({value.value})
    items = m.items(value).exact or ()
    return frozenset(str(item.value) for item in items if isinstance(item, Const))


@calls("jit")
def _call_jit(m: Machine, function: Transformed, inner: Call) -> Value:
    static = static_positions(m, function, len(inner.args)) or frozenset()
    names = static_names(m, function)
    again = _traced_before(m, function, inner, static, names)
    if again:
        _state_replaced(m, function)
    start = m.fresh_id()
    m.retracing += again
    try:
        return _trace_jit(m, function, inner, static, names)
    finally:
        m.retracing -= again
        m.notes.changing(("traced", id(function)), list).append((start, m.fresh_id()))


_NUMBERS = (bool, int, float, complex)


def _state_replaced(m: Machine, function: Transformed) -> None:
    """State which refs that a jitted function was traced with have been replaced since then."""
    if not m.notes.get("replaced"):
        return
    waiting = m.notes.changing("replaced", list)
    spans = m.notes.get(("traced", id(function)), ())
    for fact in list(waiting):
        if any(start < fact.trace.id < end for start, end in spans):
            waiting.remove(fact)
            m.state_fact(fact)


def _traced_before(
    m: Machine, function: Transformed, inner: Call, static: frozenset[int], names: frozenset[str]
) -> bool:
    """Whether JAX would find this call in the cache of what it has traced."""
    signature: list[object] = []
    given = [(index in static, value) for index, value in enumerate(inner.args)]
    given += [(name in names, value) for name, value in inner.kwargs.items()]
    for is_static, value in given:
        for leaf in leaf_values(value, m.st):
            if isinstance(leaf, Array):
                signature.append((leaf.shape, leaf.dtype))
            elif isinstance(leaf, Const) and isinstance(leaf.value, _NUMBERS) and not is_static:
                signature.append(type(leaf.value).__name__)
            else:
                signature.append(
                    (type(leaf).__name__, repr(leaf) if isinstance(leaf, Const) else "")
                )
    seen = m.notes.changing(("signatures", id(function.function), id(function)), list)
    if signature in seen:
        return True
    seen.append(signature)
    return False


def _trace_jit(
    m: Machine, function: Transformed, inner: Call, static: frozenset[int], names: frozenset[str]
) -> Value:
    positions = [index for index in range(len(inner.args)) if index not in static]
    # A bound method's receiver is closed over.
    return trace_function(
        m, "jit", "jit", inner.node, function.function, list(inner.args), inner.kwargs,
        passed_refs(m, inner, positions), static, inner.open, names,
    )  # fmt: skip


@calls("checkpoint")
def _call_checkpoint(m: Machine, function: Transformed, inner: Call) -> Value:
    given = passed_refs(m, inner, list(range(len(inner.args))))
    for trace, log in zip(m.traces, m.logs, strict=True):
        if trace.kind == "grad":
            log.checkpointed.update(ref.id for ref, _ in given)
    result = trace_function(
        m, "checkpoint", "checkpoint", inner.node, function.function, list(inner.args), inner.kwargs,
        given, static_positions(m, function, len(inner.args)) or frozenset(), inner.open,
    )  # fmt: skip
    derivatives = {trace.id for trace in m.traces if trace.kind == "grad"}
    if derivatives & (taint_of(m, result) or frozenset()):
        m.notes.changing("differentiated checkpoints", set).add(m.place(inner.node))
    return result


# -- vmap ----------------------------------------------------------------------------------------


def cell_of(m: Machine, function: Transformed) -> tuple[int, Cell] | None:
    key = function.options.get("cell")
    if isinstance(key, Const) and key.value in m.st.objects:
        found = m.object(key.value)
        if isinstance(found, Cell):
            return key.value, found
    return None


def method(m: Machine, function: Transformed, name: str, inner: Call) -> Value:
    """A method of a transformed function: `defvjp`, `lower`, ..."""
    cell = cell_of(m, function)
    if cell is not None and name in ("defvjp", "defjvp"):
        values = dict(cell[1].values)
        names = ("fwd", "bwd") if name == "defvjp" else ("jvp",)
        for index, key in enumerate(names):
            value = inner.argument(index, key)
            if value is not None:
                values[key] = value
        m.st.put(cell[0], Cell(values))
        return inner.args[0] if name == "defjvp" and inner.args else NONE
    if function.kind == "jit" and name in ("lower", "trace", "eval_shape"):
        _call_jit(m, function, inner)
        return UNKNOWN
    if function.kind == "singledispatch" and name == "register":
        return _register(m, function, inner)
    if name == "__call__":
        return call(m, function, inner)
    return UNKNOWN


@calls("shard_map")
def _call_shard_map(m: Machine, function: Transformed, inner: Call) -> Value:
    from jaxref.facts import RefMisused

    if not any(trace.staged for trace in m.traces):
        for value in inner.args:
            for ref in refs.contained(m, value):
                m.touch(ref, inner.node)
                m.state_fact(
                    RefMisused(m.site(inner.node), ref, m.ref_object(ref), "shard_map", "shard_map")
                )
                return UNKNOWN
        return UNKNOWN
    unknown = [map_leaves(v, m.st, _without_shape, m.allocate) for v in inner.args]
    return trace_function(m, "shard_map", "shard_map", inner.node, function.function, unknown)


def _without_shape(leaf: Value) -> Value:
    if isinstance(leaf, (Array, RefValue)):
        return replace(leaf, shape=None)
    return leaf


@calls("contextmanager")
def _call_contextmanager(m: Machine, function: Transformed, inner: Call) -> Value:
    return Pending(function.function, inner)


@calls("cache")
def _call_cached(m: Machine, function: Transformed, inner: Call) -> Value:
    cell = cell_of(m, function)
    constants = [*inner.args, *inner.kwargs.values()]
    if cell is None or inner.open or not all(_is_key(value) for value in constants):
        return m.call(function.function, inner)
    key = repr((inner.args, sorted(inner.kwargs.items())))
    found = cell[1].values.get(key)
    if found is None:
        found = m.call(function.function, inner)
        held = m.object(cell[0])
        m.st.put(cell[0], Cell({**held.values, key: found}))
    return found


def _is_key(value: Value) -> bool:
    if isinstance(value, Tuple):
        return all(_is_key(item) for item in value.items)
    return isinstance(value, (Const, Symbol))


@calls("singledispatch")
def _call_singledispatch(m: Machine, function: Transformed, inner: Call) -> Value:
    cell = cell_of(m, function)
    first = inner.args[0] if inner.args else UNKNOWN
    if cell is not None:
        for pair in cell[1].values.values():
            if isinstance(pair, Tuple):
                verdict = m.is_instance(first, pair.items[0])
                if verdict:
                    return m.call(pair.items[1], inner)
                if verdict is None:
                    return UNKNOWN
    return m.call(function.function, inner)


def _register(m: Machine, function: Transformed, inner: Call) -> Value:
    """`dispatched.register(kind)` as a decorator."""
    cell = cell_of(m, function)
    if cell is None or not inner.args:
        return UNKNOWN
    kind = inner.args[0]

    def add(mm: Machine, more: Call) -> Value:
        held = mm.object(cell[0])
        implementation = more.args[0] if more.args else UNKNOWN
        mm.st.put(
            cell[0], Cell({**held.values, str(len(held.values)): Tuple((kind, implementation))})
        )
        return implementation

    return Native("register", add)
