"""Structured control flow: scan, loops, conditionals."""

from __future__ import annotations

from jaxref.domain.trees import flatten, map_leaves
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    ListV,
    RefValue,
    Shape,
    Tuple,
    Value,
    map_options,
)
from jaxref.facts import RefMisused
from jaxref.jaxmodel import refs
from jaxref.jaxmodel.registry import Call, describe
from jaxref.jaxmodel.transforms import arrays_of, trace_function
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

INDEX = Array((), "int32", False)


def _sliced(m: Machine, value: Value, sizes: list[int | None]) -> Value:
    """A scanned-over tree as the body sees one step of it."""

    def rest(shape: Shape | None) -> Shape | None:
        if not shape:
            return None
        sizes.append(shape[0])
        return shape[1:]

    def one(leaf: Value) -> Value:
        if isinstance(leaf, (Array, RefValue)):
            return replace(leaf, shape=rest(leaf.shape))
        return leaf

    return map_leaves(value, m.st, lambda leaf: map_options(leaf, one), m.allocate)


def _stacked(m: Machine, value: Value, size: int | None) -> Value:
    def one(leaf: Value) -> Value:
        if isinstance(leaf, Array):
            shape = None if leaf.shape is None else (size, *leaf.shape)
            return replace(leaf, shape=shape)
        return leaf if leaf == NONE else UNKNOWN

    return map_leaves(arrays_of(m, value), m.st, lambda leaf: map_options(leaf, one), m.allocate)


def _named_refs(m: Machine, *values: Value) -> list[tuple[RefValue, str]]:
    return [
        (ref, m.ref_object(ref).name or "") for value in values for ref in refs.contained(m, value)
    ]


def _note_scalar(m: Machine, name: str, call: Call, index: int) -> None:
    """State that a ref stands for the predicate, index or bound of a control function."""
    value = call.args[index] if index < len(call.args) else None
    if isinstance(value, RefValue):
        m.touch(value, call.node)
        node = call.nodes[index] if index < len(call.nodes) else None
        m.state_fact(
            RefMisused(
                m.site(call.node), value, m.ref_object(value), "primitive", name, index, None, node
            )
        )


def _note_carried(
    m: Machine, name: str, call: Call, index: int, initial: Value, result: Value
) -> None:
    """State that a loop was given a ref to carry, for which its body gives an array."""
    carried = {leaf.path: leaf.value for leaf in flatten(initial, m.st).leaves}
    for leaf in flatten(result, m.st).leaves:
        value = carried.get(leaf.path)
        if isinstance(value, RefValue) and isinstance(leaf.value, Array):
            m.touch(value, call.node)
            node = call.nodes[index] if index < len(call.nodes) else None
            m.state_fact(
                RefMisused(
                    m.site(call.node),
                    value,
                    m.ref_object(value),
                    "primitive",
                    name,
                    index,
                    None,
                    node,
                )
            )
            return


@describe("jax.lax.scan")
def scan(m: Machine, call: Call) -> Value:
    """`jax.lax.scan(f, init, xs=None, length=None)`."""
    body = call.argument(0, "f", UNKNOWN) or UNKNOWN
    initial = call.argument(1, "init", UNKNOWN) or UNKNOWN
    xs = call.argument(2, "xs", NONE) or NONE
    sizes: list[int | None] = []
    step = _sliced(m, xs, sizes)
    length = call.argument(3, "length")
    size = next((s for s in sizes if s is not None), None)
    if size is None and isinstance(length, Const) and isinstance(length.value, int):
        size = length.value
    carry = arrays_of(m, initial)
    result = trace_function(
        m, "scan", "scan", call.node, body, [carry, step], passed=_named_refs(m, initial, xs)
    )
    parts = m.items(result).exact if isinstance(result, (Tuple, ListV)) else None
    if parts is None or len(parts) != 2:
        return Tuple((carry, UNKNOWN))
    _note_carried(m, "jax.lax.scan", call, 1, carry, parts[0])
    return Tuple((parts[0], _stacked(m, parts[1], size)))


@describe("jax.lax.while_loop")
def while_loop(m: Machine, call: Call) -> Value:
    """`jax.lax.while_loop(cond_fun, body_fun, init_val)`."""
    condition = call.argument(0, "cond_fun", UNKNOWN) or UNKNOWN
    body = call.argument(1, "body_fun", UNKNOWN) or UNKNOWN
    initial = arrays_of(m, call.argument(2, "init_val", UNKNOWN) or UNKNOWN)
    named = _named_refs(m, initial)
    trace_function(m, "while_loop", "while_loop", call.node, condition, [initial], passed=named)
    result = trace_function(m, "while_loop", "while_loop", call.node, body, [initial], passed=named)
    _note_carried(m, "jax.lax.while_loop", call, 2, initial, result)
    return result


@describe("jax.lax.fori_loop")
def fori_loop(m: Machine, call: Call) -> Value:
    """`jax.lax.fori_loop(lower, upper, body_fun, init_val)`."""
    body = call.argument(2, "body_fun", UNKNOWN) or UNKNOWN
    initial = arrays_of(m, call.argument(3, "init_val", UNKNOWN) or UNKNOWN)
    _note_scalar(m, "jax.lax.fori_loop", call, 0)
    _note_scalar(m, "jax.lax.fori_loop", call, 1)
    result = trace_function(
        m,
        "fori_loop",
        "fori_loop",
        call.node,
        body,
        [INDEX, initial],
        passed=_named_refs(m, initial),
    )
    _note_carried(m, "jax.lax.fori_loop", call, 3, initial, result)
    return result


@describe("jax.lax.map")
def lax_map(m: Machine, call: Call) -> Value:
    """`jax.lax.map(f, xs)`."""
    body = call.argument(0, "f", UNKNOWN) or UNKNOWN
    xs = call.argument(1, "xs", UNKNOWN) or UNKNOWN
    sizes: list[int | None] = []
    step = _sliced(m, xs, sizes)
    result = trace_function(m, "scan", "map", call.node, body, [step], passed=_named_refs(m, xs))
    return _stacked(m, result, next((s for s in sizes if s is not None), None))


@describe("jax.lax.associative_scan")
def associative_scan(m: Machine, call: Call) -> Value:
    """`jax.lax.associative_scan(fn, elems)`."""
    function = call.argument(0, "fn", UNKNOWN) or UNKNOWN
    elements = arrays_of(m, call.argument(1, "elems", UNKNOWN) or UNKNOWN)
    shapeless = map_leaves(elements, m.st, _unshaped, m.allocate)
    m.call(function, Call(call.node, (shapeless, shapeless), {}, False, (None, None)))
    return elements


def _unshaped(leaf: Value) -> Value:
    return replace(leaf, shape=None) if isinstance(leaf, Array) else leaf


def _branches(
    m: Machine, call: Call, kind: str, functions: list[Value], operands: list[Value]
) -> Value:
    named = _named_refs(m, *operands)
    args = [arrays_of(m, operand) for operand in operands]
    ways = [
        lambda function=function: trace_function(
            m, kind, kind, call.node, function, args, passed=named
        )
        for function in functions
    ]
    return m.branch(*ways)


@describe("jax.lax.cond")
def cond(m: Machine, call: Call) -> Value:
    """`jax.lax.cond(pred, true_fun, false_fun, *operands)`."""
    if call.open or len(call.args) < 3:
        return UNKNOWN
    _note_scalar(m, "jax.lax.cond", call, 0)
    if "operand" in call.kwargs:
        return _branches(m, call, "cond", list(call.args[1:3]), [call.kwargs["operand"]])
    operands = list(call.args[3:])
    if "linear" in call.kwargs:
        operands = operands[:1]
    return _branches(m, call, "cond", list(call.args[1:3]), operands)


@describe("jax.lax.switch")
def switch(m: Machine, call: Call) -> Value:
    """`jax.lax.switch(index, branches, *operands)`."""
    branches = m.items(call.argument(1, "branches", UNKNOWN) or UNKNOWN).exact
    if call.open or not branches:
        return UNKNOWN
    _note_scalar(m, "jax.lax.switch", call, 0)
    return _branches(m, call, "switch", list(branches), list(call.args[2:]))


@describe("jax.lax.platform_dependent", "jax.lax.custom_root", "jax.lax.custom_linear_solve")
def not_followed(m: Machine, call: Call) -> Value:
    """Functions whose arguments are called in ways that are not followed."""
    return UNKNOWN
