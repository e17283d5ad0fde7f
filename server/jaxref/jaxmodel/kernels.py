"""Kernels: functions whose parameters JAX makes refs of."""

from __future__ import annotations

from jaxref.domain.heap import RefObject
from jaxref.domain.trees import flatten, map_leaves
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Native,
    Partial,
    RefValue,
    ShapeStruct,
    Value,
)
from jaxref.jaxmodel import array_calls
from jaxref.jaxmodel.arrays import as_array
from jaxref.jaxmodel.registry import Call, describe
from jaxref.jaxmodel.tracing import function_name, parameter_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine


def kernel_ref(m: Machine, call: Call, dtype: str | None = None) -> RefValue:
    """A ref that JAX gives to a kernel. Its shape is that of a block, which is not followed."""
    place = m.place(call.node)
    made = RefObject(
        place.path,
        None,
        None,
        None,
        dtype,
        frozenset(trace.id for trace in m.traces),
        how="kernel",
    )
    return RefValue(m.allocate(made), None, dtype)


def _run(m: Machine, call: Call, label: str, kernel: Value, args: tuple[Value, ...]) -> Value:
    trace = m.new_trace("kernel", label, call.node, function_name(kernel))
    with m.tracing(trace):
        return m.call(kernel, Call(call.node, args, {}, False, (None,) * len(args)))


def _leaf_count(m: Machine, value: Value | None) -> int | None:
    """The number of leaves of a tree of arrays or of shapes; None when it is not known."""
    if value is None or value == NONE:
        return 0
    found = flatten(value, m.st)
    return len(found.leaves) if found.treedef.known() else None


def _keywords(kernel: Value) -> frozenset[str]:
    return (
        frozenset(name for name, _ in kernel.kwargs) if isinstance(kernel, Partial) else frozenset()
    )


@describe("pallas.pallas_call")
def pallas_call(m: Machine, call: Call) -> Value:
    """`pl.pallas_call(kernel, out_shape, ...)(*args)`: refs for inputs, outputs and scratch space.

    The kernel is evaluated when it is certain that each of its parameters is one ref.
    """
    kernel = call.argument(0, "kernel", UNKNOWN) or UNKNOWN
    outputs = _leaf_count(m, call.argument(1, "out_shape"))
    scratch_value = call.kwargs.get("scratch_shapes")
    scratch = len(m.items(scratch_value).exact or ()) if scratch_value is not None else 0
    grid_spec = call.kwargs.get("grid_spec")

    def run(mm: Machine, inner: Call) -> Value:
        names = [name for name in parameter_names(mm, kernel) if name not in _keywords(kernel)]
        single = all(isinstance(value, Array) for value in inner.args)
        expected = None if outputs is None else len(inner.args) + outputs + scratch
        if inner.open or grid_spec is not None or not single or expected != len(names):
            return UNKNOWN
        _run(mm, inner, "pallas_call", kernel, tuple(kernel_ref(mm, inner) for _ in names))
        return UNKNOWN

    return Native("pallas_call", run)


@describe(
    "jax._src.state.discharge.run_state", "pallas.run_state", "jax.experimental.state.run_state"
)
def run_state(m: Machine, call: Call) -> Value:
    """`run_state(f)(x)`: `f` gets the tree with a ref for each array."""
    function = call.argument(0, "f", UNKNOWN) or UNKNOWN

    def run(mm: Machine, inner: Call) -> Value:
        tree = inner.args[0] if inner.args else UNKNOWN

        def ref(leaf: Value) -> Value:
            if isinstance(leaf, (Array, Const, ShapeStruct)):
                array = (
                    as_array(array_calls.operand(mm, leaf))
                    if not isinstance(leaf, ShapeStruct)
                    else leaf
                )
                return kernel_ref(mm, inner, array.dtype)
            return UNKNOWN

        _run(mm, inner, "run_state", function, (map_leaves(tree, mm.st, ref, mm.allocate),))
        return tree

    return Native("run_state", run)


@describe("pallas.kernel")
def kernel(m: Machine, call: Call) -> Value:
    """`pl.kernel(body, ...)`, `@pl.kernel(...)`: the body runs when the kernel is called."""

    def made(body: Value) -> Value:
        def run(mm: Machine, inner: Call) -> Value:
            if not parameter_names(mm, body) and not inner.args:
                _run(mm, inner, "kernel", body, ())
            return UNKNOWN

        return Native("kernel", run)

    body = call.argument(0, "body")
    if body is not None:
        return made(body)
    return Native("kernel", lambda mm, inner: made(inner.args[0] if inner.args else UNKNOWN))


@describe("pallas.core_map")
def core_map(m: Machine, call: Call) -> Value:
    """`@pl.core_map(mesh)`: the body runs at once and closes over its refs."""

    def run(mm: Machine, inner: Call) -> Value:
        body = inner.args[0] if inner.args else UNKNOWN
        if not parameter_names(mm, body):
            _run(mm, inner, "core_map", body, ())
        return UNKNOWN

    return Native("core_map", run)


@describe("pallas.when")
def when(m: Machine, call: Call) -> Value:
    """`@pl.when(condition)`: the body runs if the condition holds."""

    def run(mm: Machine, inner: Call) -> Value:
        body = inner.args[0] if inner.args else UNKNOWN
        mm.branch(lambda: mm.call(body, Call(inner.node, (), {})), lambda: NONE)
        return UNKNOWN

    return Native("when", run)
