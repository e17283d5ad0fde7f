"""Names outside of the project: what they stand for, and what calling them does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxref.domain.values import (
    FALSE,
    UNKNOWN,
    Array,
    Const,
    Sentinel,
    Symbol,
    Value,
)
from jaxref.facts import NameUsed
from jaxref.jaxmodel import array_calls
from jaxref.jaxmodel.arrays import ARRAY_FUNCTIONS, canonical_dtype, dtype_name
from jaxref.jaxmodel.registry import DESCRIPTIONS, Call, canonical

if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

SENTINELS = {
    f"jax.ad.{kind}": Sentinel(kind, False) for kind in ("DontWant", "GradValue", "GradRef", "DidntWant")
}

_CONSTANTS: dict[str, Value] = {
    "typing.TYPE_CHECKING": FALSE,
    **{
        f"{module}.{name}": Const(value)
        for module in ("jax.numpy", "numpy", "math")
        for name, value in (
            ("pi", 3.141592653589793), ("e", 2.718281828459045), ("inf", float("inf")), ("nan", float("nan")),
        )
    },
    "jax.numpy.newaxis": Const(None),
    "numpy.newaxis": Const(None),
}  # fmt: skip

# Names of the refs API that came, went or never were, with the versions that have them
# (from inclusive, to exclusive). Measured by importing each version.
HISTORY: dict[str, tuple[tuple[int, ...] | None, tuple[int, ...] | None]] = {
    "jax.array_ref": ((0, 7), (0, 9)),
    "jax.ArrayRef": ((0, 7), (0, 9)),
    "jax.experimental.mutable_array": (None, (0, 8)),
    "jax.experimental.MutableArray": (None, (0, 8)),
    "jax.mutable_array": (None, (0, 0)),
    "jax.ad": ((0, 10), None),
}


def exists(m: Machine, name: str) -> bool:
    """Whether the JAX in use has `name`, as far as its history is known."""
    history = HISTORY.get(name)
    if history is None:
        return True
    version = m.resolver.jax_version or (0, 12)
    since, until = history
    return (since is None or version >= since) and (until is None or version < until)


def attribute(m: Machine, owner: str, name: str, node: ast.AST) -> Value:
    """`owner.name` where `owner` is a name outside of the project."""
    written = f"{owner}.{name}"
    if written in HISTORY and not m.handling and not exists(m, written):
        m.state_fact(NameUsed(m.site(node), written))
    found = canonical(written)
    sentinel = SENTINELS.get(found)
    if sentinel is not None:
        return sentinel
    constant = _CONSTANTS.get(found)
    if constant is not None:
        return constant
    return Symbol(found)


def call(m: Machine, name: str, call: Call) -> Value:
    """A call of a function outside of the project."""
    description = DESCRIPTIONS.get(name)
    if description is not None:
        return description.handler(m, call)
    if name in ARRAY_FUNCTIONS:
        return array_calls.function(m, name, call)
    if name.startswith(("jax.numpy.", "jax.nn.", "jax.lax.", "jax.random.", "jax.scipy.")):
        return _unlisted(m, name, call)
    m.escape(call)
    return UNKNOWN


def _unlisted(m: Machine, name: str, call: Call) -> Value:
    """An array function whose shapes are not described: its result depends on its arguments."""
    short = name.rpartition(".")[2]
    dtype = dtype_name(name)
    if dtype is not None and name.startswith(("jax.numpy.", "numpy.")):
        return _converted(m, dtype, call)
    if short in array_calls.REF_FRIENDLY or not short[:1].islower():
        return UNKNOWN
    if name.startswith(("jax.numpy.", "jax.nn.", "jax.scipy.")) and array_calls.note_refs(m, name, call):
        return UNKNOWN
    taint: frozenset[int] = frozenset()
    batch: frozenset[int] = frozenset()
    for value in (*call.args, *call.kwargs.values()):
        if isinstance(value, Array):
            taint |= value.taint
            batch |= value.batch
    return Array(None, None, None, "any", taint, batch) if taint or batch else UNKNOWN


def _converted(m: Machine, dtype: str, call: Call) -> Value:
    """`jnp.float32(x)`."""
    if array_calls.note_refs(m, f"jax.numpy.{dtype}", call):
        return UNKNOWN
    operand = array_calls.operand(m, call.args[0]) if call.args else Const(0)
    array = array_calls.as_array(operand)
    return Array(array.shape, canonical_dtype(dtype), False, "jax", array.taint, array.batch)


