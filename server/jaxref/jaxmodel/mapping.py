"""`jax.vmap`."""

from __future__ import annotations

from jaxref.domain.trees import map_leaves
from jaxref.domain.values import (
    NONE,
    Array,
    Const,
    DictV,
    ListV,
    RefValue,
    Transformed,
    Tuple,
    Value,
    map_options,
)
from jaxref.jaxmodel.arrays import as_array
from jaxref.jaxmodel.registry import Call, calls
from jaxref.jaxmodel.tracing import (
    function_name,
    rehome,
)
from jaxref.jaxmodel.transforms import passed_refs, state_traced
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

Axes = int | None | str


"""An axis, None for "not mapped", "?" where it is not known."""


def _axes_for(m: Machine, spec: Value | None, index: int) -> Value | None:
    """The `in_axes` entry of one argument."""
    if spec is None:
        return Const(0)
    if isinstance(spec, Const):
        return spec
    items = m.items(spec).exact if isinstance(spec, (Tuple, ListV)) else None
    if items is not None and index < len(items):
        return items[index]
    return None


def _mapped(
    m: Machine, value: Value, axes: Value | None, trace: int, sizes: list[int | None]
) -> Value:
    """An argument as the mapped function sees it."""
    if isinstance(axes, Const) and axes.value is None:
        return value
    if isinstance(axes, DictV) and isinstance(value, DictV):
        entries, inner = m.object(value.id), m.object(axes.id)
        from jaxref.domain.heap import DictObject

        changed = {
            key: _mapped(m, item, inner.entries.get(key), trace, sizes)
            for key, item in entries.entries.items()
        }
        return DictV(m.allocate(DictObject(changed, entries.open)))
    if isinstance(axes, (Tuple, ListV)) and isinstance(value, (Tuple, ListV)):
        inner_axes, items = m.items(axes).exact, m.items(value).exact
        if inner_axes is not None and items is not None and len(inner_axes) == len(items):
            parts = tuple(
                _mapped(m, v, a, trace, sizes) for v, a in zip(items, inner_axes, strict=True)
            )
            if isinstance(value, Tuple):
                return Tuple(parts, value.names, value.cls, value.cls_name)
            return m.new_list(parts)
    axis = axes.value if isinstance(axes, Const) and isinstance(axes.value, int) else "?"

    def without(shape: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
        if shape is None or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
            return None
        sizes.append(shape[axis])
        kept = list(shape)
        del kept[axis]
        return tuple(kept)

    def one(leaf: Value) -> Value:
        if isinstance(leaf, RefValue):
            return replace(
                leaf,
                shape=without(leaf.shape),
                via=leaf.via | {trace},
                batched=leaf.batched | {trace},
            )
        if isinstance(leaf, Array):
            return replace(
                leaf, shape=without(leaf.shape), batch=leaf.batch | {trace}, origin="jax"
            )
        return leaf

    return map_leaves(value, m.st, lambda leaf: map_options(leaf, one), m.allocate)


@calls("vmap")
def call_vmap(m: Machine, function: Transformed, inner: Call) -> Value:
    given = passed_refs(m, inner, list(range(len(inner.args))))
    for ref, _ in given:
        m.touch(ref, inner.node, use=False)
    trace = m.new_trace(
        "vmap",
        "vmap",
        inner.node,
        function_name(function.function),
        frozenset(r.id for r, _ in given),
    )
    spec = function.options.get("in_axes")
    sizes: list[int | None] = []
    with m.tracing(trace) as log:
        args = tuple(
            _mapped(m, value, _axes_for(m, spec, index), trace.id, sizes)
            for index, value in enumerate(inner.args)
        )
        kwargs = {k: _mapped(m, v, Const(0), trace.id, sizes) for k, v in inner.kwargs.items()}
        result = m.call(
            function.function, Call(inner.node, args, kwargs, inner.open, (None,) * len(args))
        )
    state_traced(m, inner.node, trace, log, given, NONE, None, arguments=inner.args)
    rehome(m, result, trace.id)
    known = {size for size in sizes if size is not None}
    size = known.pop() if len(known) == 1 else None
    axis = function.options.get("out_axes")
    front = axis is None or axis == Const(0)

    def one(leaf: Value) -> Value:
        if isinstance(leaf, Const) and isinstance(leaf.value, (bool, int, float, complex)):
            leaf = as_array(leaf)
        if isinstance(leaf, Array):
            shape = (size, *leaf.shape) if leaf.shape is not None and front else None
            return replace(leaf, shape=shape, batch=leaf.batch - {trace.id}, origin="jax")
        if isinstance(leaf, RefValue):
            shape = (size, *leaf.shape) if leaf.shape is not None and front else None
            return replace(
                leaf, shape=shape, via=leaf.via - {trace.id}, batched=leaf.batched - {trace.id}
            )
        return leaf

    return map_leaves(result, m.st, lambda leaf: map_options(leaf, one), m.allocate)


# -- custom_vjp ----------------------------------------------------------------------------------
