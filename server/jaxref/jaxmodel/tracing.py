"""Arguments on their way into a trace and results on their way out; what functions are called."""

from __future__ import annotations

from jaxref.domain.heap import RefObject
from jaxref.domain.trees import flatten, leaf_values, map_leaves
from jaxref.domain.values import (
    Array,
    BoundMethod,
    ClassV,
    Const,
    Function,
    Instance,
    Method,
    Partial,
    RefValue,
    Symbol,
    Transformed,
    Union,
    Unknown,
    Value,
    map_options,
    options,
)
from jaxref.facts import (
    PrimalLeaf,
)
from jaxref.jaxmodel import refs
from jaxref.jaxmodel.arrays import as_array, canonical_dtype
from jaxref.jaxmodel.registry import Call
from jaxref.jaxmodel.symbols import FROM_PACKAGE
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine


# -- what functions are called and take ----------------------------------------------------------


def function_name(function: Value) -> str:
    """What JAX and the user call a function."""
    if isinstance(function, Function):
        return function.name
    if isinstance(function, Symbol):
        return function.name.rpartition(".")[2]
    if isinstance(function, (Transformed, BoundMethod, Partial)):
        return function_name(function.function)
    if isinstance(function, Method):
        return function.name
    if isinstance(function, Instance):
        return function.cls.name
    if isinstance(function, ClassV):
        return function.name
    if isinstance(function, Union):
        return function_name(function.options[0])
    return "the function"


def parameter_names(m: Machine, function: Value) -> tuple[str, ...]:
    """The names of a function's positional parameters, as far as they are known."""
    if isinstance(function, Function):
        spec = function.node.args
        return tuple(parameter.arg for parameter in (*spec.posonlyargs, *spec.args))
    if isinstance(function, BoundMethod):
        return parameter_names(m, function.function)[1:]
    if isinstance(function, Transformed):
        return parameter_names(m, function.function)
    if isinstance(function, Partial):
        return parameter_names(m, function.function)[len(function.args) :]
    if isinstance(function, Instance):
        method = m.special_method(function, "__call__")
        return parameter_names(m, method) if method is not None else ()
    return ()


def ref_options(m: Machine, value: Value) -> tuple[tuple[tuple[RefValue, RefObject], ...], bool]:
    """The refs a leaf may be with their objects, and whether it is one of them for certain."""
    found = []
    certain = True
    for option in options(value):
        if isinstance(option, RefValue):
            found.append((option, m.ref_object(option)))
        else:
            certain = False
    return tuple(found), certain


def primal_leaves(m: Machine, call: Call, positions: dict[int, Value]) -> tuple[PrimalLeaf, ...]:
    """The leaves of the arguments at `positions` (in `call.args`), in order.

    Paths count from 0 in the order of `positions`.
    """
    leaves = []
    for number, (index, value) in enumerate(positions.items()):
        words = call.texts[index] if index < len(call.texts) else ""
        for leaf in flatten(value, m.st).leaves:
            found, certain = ref_options(m, leaf.value)
            text = words + leaf.path if words else (found[0][1].name or "" if found else "")
            leaves.append(
                PrimalLeaf(f"args[{number}]{leaf.path}", text, number, leaf.value, found, certain)
            )
    return tuple(leaves)


def as_traced(array: Array) -> Array:
    """An array as JAX hands it on: NumPy's 64-bit types have become 32-bit ones."""
    dtype = array.dtype
    if dtype is not None and array.origin == "numpy":
        dtype = canonical_dtype(dtype)
    return replace(array, dtype=dtype, origin="jax")


def into_trace(m: Machine, value: Value, trace: int, *, taint: bool, batch: bool = False) -> Value:
    """An argument as a traced function sees it: containers made anew, refs marked as passed."""

    def change(leaf: Value) -> Value:
        return map_options(leaf, one)

    def one(leaf: Value) -> Value:
        if isinstance(leaf, RefValue):
            return replace(leaf, via=leaf.via | {trace})
        if isinstance(leaf, Const) and isinstance(leaf.value, (bool, int, float, complex)):
            leaf = replace(as_array(leaf), origin="jax")
        if isinstance(leaf, Array):
            inexact = leaf.dtype is None or not leaf.dtype.startswith(("int", "uint", "bool"))
            marked = leaf.taint | {trace} if taint and inexact else leaf.taint
            return replace(as_traced(leaf), taint=marked)
        return leaf

    return map_leaves(value, m.st, change, m.allocate)


def out_of_trace(m: Machine, value: Value, trace: int) -> Value:
    """A result as the caller sees it: nothing depends on the trace any more."""

    def one(leaf: Value) -> Value:
        if isinstance(leaf, Array) and (trace in leaf.taint or trace in leaf.batch):
            return replace(leaf, taint=leaf.taint - {trace}, batch=leaf.batch - {trace})
        if isinstance(leaf, RefValue) and (trace in leaf.via or trace in leaf.batched):
            return replace(leaf, via=leaf.via - {trace}, batched=leaf.batched - {trace})
        return leaf

    return map_leaves(value, m.st, lambda leaf: map_options(leaf, one), m.allocate)


def rehome(m: Machine, value: Value, trace: int) -> None:
    """Refs made under an eager trace live on when the function returns them."""
    for ref in refs.contained(m, value):
        found = m.ref_object(ref)
        if trace in found.traces:
            m.st.put(
                ref.id, replace(found, traces=found.traces - {trace}, taint=found.taint - {trace})
            )


# -- jax.vjp -------------------------------------------------------------------------------------


def truth(value: Value | None, default: bool) -> bool | None:
    """A static flag; None when it is not known."""
    if value is None:
        return default
    return bool(value.value) if isinstance(value, Const) else None


def known_argument(m: Machine, call: Call, index: int) -> Value:
    """An argument; one that evaluation left unknown as type inference knows it."""
    value = call.args[index]
    node = call.nodes[index] if index < len(call.nodes) else None
    if (
        isinstance(value, Unknown)
        and value.reason == FROM_PACKAGE
        and node is not None
        and m.module.own
    ):
        found = m.inferred(node, call.texts[index] if index < len(call.texts) else "")
        if found is not None:
            return found
    return value


def argnum_list(m: Machine, value: Value | None) -> list[int] | None:
    """`argnums` as a list; None when it is not known."""
    if value is None:
        return [0]
    if isinstance(value, Const) and isinstance(value.value, int):
        return [value.value]
    items = m.items(value).exact
    if items is None or not items:
        return None
    if all(isinstance(item, Const) and isinstance(item.value, int) for item in items):
        return [item.value for item in items if isinstance(item, Const)]
    return None


# -- the VJP object --------------------------------------------------------------------------------


def taint_of(m: Machine, *values: Value) -> frozenset[int] | None:
    """What the arrays in some values depend on; None where that is not known."""
    found: frozenset[int] = frozenset()
    for value in values:
        for leaf in leaf_values(value, m.st):
            for option in options(leaf):
                if isinstance(option, Array):
                    found |= option.taint
                elif not isinstance(option, (Const, RefValue)):
                    return None
    return found


def depending(m: Machine, value: Value, taint: frozenset[int]) -> Value:
    """A value whose arrays depend on more."""
    if not taint:
        return value

    def one(leaf: Value) -> Value:
        return replace(leaf, taint=leaf.taint | taint) if isinstance(leaf, Array) else leaf

    return map_leaves(value, m.st, lambda leaf: map_options(leaf, one), m.allocate)
