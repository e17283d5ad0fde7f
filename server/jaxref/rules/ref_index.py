"""An index that refs do not take."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Array, Const, ListV, Tuple, Value
from jaxref.facts import RefAccessed
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import accessed_at, code, made_here, some


def check(fact: RefAccessed) -> Iterator[Finding]:
    """Lists, boolean masks, constant indices out of bounds, too many indices."""
    if fact.index is None or fact.action not in ("read", "write", "swap", "addupdate"):
        return
    problem = _problem(fact.index, fact.ref.shape)
    if problem is not None:
        yield Finding(
            fact.site.place,
            f"{problem} {accessed_at(fact)}",
            fact,
            some(made_here(fact.object)),
        )
        return
    beyond = _beyond(fact.index, fact.ref.shape)
    if beyond is None:
        return
    trace = next((trace for trace in reversed(fact.site.traces) if trace.kind != "eager"), None)
    if trace is None:
        yield Finding(
            fact.site.place,
            f"{beyond} {accessed_at(fact)}",
            fact,
            some(made_here(fact.object)),
        )
        return
    # JAX checks the bounds of plain running code only.
    yield Finding(
        fact.site.place,
        f"{beyond} {accessed_at(fact)}: under `{trace.name}` JAX takes the last element and does not say so",
        fact,
        some((trace.place, f"{code(trace.function)} is traced here"), made_here(fact.object)),
        severity="warning",
    )


def _problem(index: tuple[Value, ...], shape: tuple[int | None, ...] | None) -> str | None:
    for item in index:
        if isinstance(item, ListV):
            return "a list is no index of a ref, make it an array with `jnp.array([...])` to index"
        if isinstance(item, Const) and isinstance(item.value, slice):
            step = item.value.step
            if isinstance(step, int) and step < 1:
                return f"a slice with the step {step} is no index of a ref, read the value with `[...]` first to slice"
        if isinstance(item, Array) and item.dtype == "bool" and item.shape:
            return "a boolean mask is no index of a ref, read the value with `[...]` first to mask"
    if shape is None:
        return None
    counted = _counted(index)
    if any(isinstance(item, Tuple) for item in counted):
        return None
    if len(counted) > len(shape):
        return f"{len(counted)} indices are too many for {len(shape)} axes of"
    return None


def _counted(index: tuple[Value, ...]) -> list[Value]:
    """The items of an index that stand for an axis."""
    return [
        item for item in index if not (isinstance(item, Const) and item.value in (Ellipsis, None))
    ]


def _beyond(index: tuple[Value, ...], shape: tuple[int | None, ...] | None) -> str | None:
    """The words for a constant index that lies behind the last element."""
    counted = _counted(index)
    if shape is None or any(isinstance(item, Tuple) for item in counted):
        return None
    axis = 0
    for item in index:
        if isinstance(item, Const) and item.value is Ellipsis:
            axis += len(shape) - len(counted)
            continue
        if isinstance(item, Const) and item.value is None:
            continue
        size = shape[axis]
        if isinstance(item, Const) and type(item.value) is int and size is not None:
            # A negative index too far is clamped, not refused.
            if item.value >= size:
                return f"the index {code(str(item.value))} is out of bounds for axis {axis} of size {size} of"
        axis += 1
    return None


RULE = Rule(
    "ref-index",
    "error",
    "an index that refs do not take",
    (RefAccessed,),
    ("ValueError", "TypeError", "IndexError", "NotImplementedError"),
    check,
)
