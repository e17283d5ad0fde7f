"""JAX functions that fit nowhere else: debugging, evaluation of shapes, device placement."""

from __future__ import annotations

import ast

from jaxref.domain.trees import map_leaves
from jaxref.domain.values import (
    NO_TRACES,
    NONE,
    UNKNOWN,
    Array,
    Const,
    Native,
    RefValue,
    ShapeStruct,
    Symbol,
    Value,
)
from jaxref.facts import RefMisused
from jaxref.jaxmodel import array_calls, refs
from jaxref.jaxmodel.arrays import as_array, canonical_dtype
from jaxref.jaxmodel.registry import Call, describe
from jaxref.jaxmodel.transforms import trace_function
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine


@describe("jax.debug.print")
def debug_print(m: Machine, call: Call) -> Value:
    """`jax.debug.print(fmt, *args, **kwargs)`: refs are not printed outside of staged code."""
    if not any(trace.staged for trace in m.traces):
        arguments = [*call.args[1:], *call.kwargs.values()]
        for value in arguments:
            for ref in refs.contained(m, value):
                m.touch(ref, call.node)
                node = call.node if isinstance(call.node, ast.expr) else None
                m.state_fact(
                    RefMisused(
                        m.site(call.node),
                        ref,
                        m.ref_object(ref),
                        "print",
                        "jax.debug.print",
                        0,
                        None,
                        node,
                    )
                )
                return NONE
    return NONE


@describe("jax.ShapeDtypeStruct")
def shape_dtype_struct(m: Machine, call: Call) -> Value:
    """`jax.ShapeDtypeStruct(shape, dtype)`."""
    shape_value = call.argument(0, "shape")
    dtype_value = call.argument(1, "dtype")
    shape = None
    if shape_value is not None:
        items = m.items(shape_value).exact
        if items is not None:
            shape = tuple(
                item.value if isinstance(item, Const) and isinstance(item.value, int) else None
                for item in items
            )
    dtype = None
    if dtype_value is not None:
        found = array_calls.operand(m, dtype_value)
        if isinstance(found, Const) and isinstance(found.value, str):
            dtype = canonical_dtype(found.value)
    return ShapeStruct(shape, dtype)


@describe("jax.eval_shape")
def eval_shape(m: Machine, call: Call) -> Value:
    """`jax.eval_shape(f, *args)`."""
    function = call.argument(0, "fun", UNKNOWN) or UNKNOWN
    result = trace_function(
        m, "jit", "eval_shape", call.node, function, list(call.args[1:]), call.kwargs
    )

    def struct(leaf: Value) -> Value:
        array = (
            as_array(array_calls.operand(m, leaf)) if not isinstance(leaf, ShapeStruct) else leaf
        )
        return ShapeStruct(array.shape, array.dtype)

    return map_leaves(result, m.st, struct, m.allocate)


@describe("jax.make_jaxpr")
def make_jaxpr(m: Machine, call: Call) -> Value:
    """`jax.make_jaxpr(f)`: calling it traces `f`."""
    function = call.argument(0, "fun", UNKNOWN) or UNKNOWN

    def trace(mm: Machine, inner: Call) -> Value:
        trace_function(
            mm, "jit", "make_jaxpr", inner.node, function, list(inner.args), inner.kwargs
        )
        return UNKNOWN

    return Native("make_jaxpr", trace)


@describe("jax.lax.stop_gradient")
def stop_gradient(m: Machine, call: Call) -> Value:
    """`jax.lax.stop_gradient(x)`: nothing depends on `x` any more, as far as differentiation goes."""
    value = call.argument(0, "x", UNKNOWN) or UNKNOWN
    return map_leaves(
        value,
        m.st,
        lambda leaf: replace(leaf, taint=NO_TRACES) if isinstance(leaf, Array) else leaf,
        m.allocate,
    )


_KINDS = {
    "floating": ("float", "bfloat"),
    "inexact": ("float", "bfloat", "complex"),
    "complexfloating": ("complex",),
    "integer": ("int", "uint"),
    "signedinteger": ("int",),
    "unsignedinteger": ("uint",),
    "number": ("int", "uint", "float", "bfloat", "complex"),
    "bool_": ("bool",),
}


@describe("jax.numpy.issubdtype", "numpy.issubdtype", "jax.dtypes.issubdtype")
def issubdtype(m: Machine, call: Call) -> Value:
    """`jnp.issubdtype(dtype, jnp.floating)`."""
    if len(call.args) != 2:
        return UNKNOWN
    dtype, kind = call.args
    if isinstance(dtype, Const) and isinstance(dtype.value, str) and isinstance(kind, Symbol):
        prefixes = _KINDS.get(kind.name.rpartition(".")[2])
        if prefixes is not None:
            return Const(dtype.value.startswith(prefixes))
    return UNKNOWN


@describe("jax.typeof")
def typeof(m: Machine, call: Call) -> Value:
    """`jax.typeof(x)`: takes refs."""
    return UNKNOWN


@describe("jax.lax.optimization_barrier")
def optimization_barrier(m: Machine, call: Call) -> Value:
    """`jax.lax.optimization_barrier(operand)`: the operand, refs in it too."""
    return call.argument(0, "operand", UNKNOWN) or UNKNOWN


@describe("jax.device_put", "jax.device_get")
def device_put(m: Machine, call: Call) -> Value:
    """Placement changes nothing that is known of a value."""
    value = call.argument(0, "x", UNKNOWN) or UNKNOWN
    return value if not isinstance(value, RefValue) else UNKNOWN


@describe(
    "jax.closure_convert", "jax.pure_callback", "jax.experimental.io_callback", "jax.debug.callback"
)
def not_followed(m: Machine, call: Call) -> Value:
    """Functions whose arguments run elsewhere."""
    return UNKNOWN
