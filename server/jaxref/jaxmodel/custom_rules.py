"""Functions with derivative rules of their own: `custom_vjp` and `custom_jvp`."""

from __future__ import annotations

from jaxref.domain.heap import Cell
from jaxref.domain.trees import leaf_values, map_leaves
from jaxref.domain.values import (
    UNKNOWN,
    Array,
    ListV,
    RefValue,
    Transformed,
    Tuple,
    Value,
    map_options,
)
from jaxref.jaxmodel import refs
from jaxref.jaxmodel.registry import Call, calls
from jaxref.jaxmodel.tracing import (
    argnum_list,
    function_name,
    out_of_trace,
)
from jaxref.jaxmodel.transforms import cell_of, last_return, passed_refs, state_traced
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine


@calls("custom_vjp")
def call_custom_vjp(m: Machine, function: Transformed, inner: Call) -> Value:
    cell = cell_of(m, function)
    forward = cell[1].values.get("fwd") if cell is not None else None
    taint: frozenset[int] = frozenset()
    for value in (*inner.args, *inner.kwargs.values()):
        for leaf in leaf_values(value, m.st):
            if isinstance(leaf, Array):
                taint |= leaf.taint
    active = frozenset(trace.id for trace in m.traces if trace.kind == "grad")
    differentiated = bool(taint & active) and forward is not None
    given = passed_refs(m, inner, list(range(len(inner.args))))
    target = forward if differentiated and forward is not None else function.function
    trace = m.new_trace(
        "custom_vjp", "custom_vjp", inner.node, function_name(function.function),
        frozenset(ref.id for ref, _ in given),
    )  # fmt: skip
    with m.tracing(trace) as log:
        # Custom rules see primal values: nothing in them is being differentiated.
        args = tuple(_primal(m, value, trace.id) for value in inner.args)
        kwargs = {name: _primal(m, value, trace.id) for name, value in inner.kwargs.items()}
        m.recent["last return"] = None
        result = m.call(target, Call(inner.node, args, kwargs, inner.open, (None,) * len(args)))
        returns = last_return(m)
    checked = result
    if differentiated:
        parts = m.items(result).exact if isinstance(result, (Tuple, ListV)) else None
        result = parts[0] if parts is not None and len(parts) == 2 else UNKNOWN
        residuals = parts[1] if parts is not None and len(parts) == 2 else UNKNOWN
        kept = refs.contained(m, residuals)
        if kept:
            for outer, outer_log in zip(m.traces, m.logs, strict=True):
                if outer.kind == "grad":
                    outer_log.residual_refs = True
        _run_backward(m, function, cell, inner, residuals, result)
        # A residual may be a ref that came in as an argument, not one made here.
        new = [ref for ref in kept if ref.id not in trace.arg_refs]
        checked = Tuple((result, *new))
    state_traced(m, inner.node, trace, log, given, checked, returns)
    result = out_of_trace(m, result, trace.id)

    def tainted(leaf: Value) -> Value:
        return replace(leaf, taint=leaf.taint | taint) if isinstance(leaf, Array) else leaf

    return map_leaves(result, m.st, lambda leaf: map_options(leaf, tainted), m.allocate)


def _run_backward(
    m: Machine,
    function: Transformed,
    cell: tuple[int, Cell] | None,
    inner: Call,
    residuals: Value,
    result: Value,
) -> None:
    """Evaluate the backward rule too, as the differentiation does later."""
    backward = cell[1].values.get("bwd") if cell is not None else None
    if backward is None:
        return
    cotangent = map_leaves(
        result, m.st, lambda leaf: leaf if isinstance(leaf, Array) else UNKNOWN, m.allocate
    )
    numbers = (
        argnum_list(m, function.options.get("nondiff_argnums"))
        if "nondiff_argnums" in function.options
        else []
    )
    if numbers is None or any(not 0 <= number < len(inner.args) for number in numbers):
        return
    args = (*[inner.args[number] for number in sorted(numbers)], residuals, cotangent)
    traces, logs = m.traces, m.logs
    # Recomputing a checkpointed function does not run the backward rules inside it.
    kept = [i for i, trace in enumerate(traces) if trace.kind != "checkpoint"]
    m.traces, m.logs = [traces[i] for i in kept], [logs[i] for i in kept]
    m.memo["backward rules"] = m.memo.get("backward rules", 0) + 1
    try:
        m.call(backward, Call(inner.node, args, {}, False, (None,) * len(args)))
    finally:
        m.traces, m.logs = traces, logs
        m.memo["backward rules"] -= 1


def _primal(m: Machine, value: Value, trace: int) -> Value:
    def one(leaf: Value) -> Value:
        if isinstance(leaf, RefValue):
            return replace(leaf, via=leaf.via | {trace})
        return replace(leaf, taint=frozenset()) if isinstance(leaf, Array) else leaf

    return map_leaves(value, m.st, lambda leaf: map_options(leaf, one), m.allocate)


@calls("custom_jvp")
def call_custom_jvp(m: Machine, function: Transformed, inner: Call) -> Value:
    return m.call(function.function, inner)
