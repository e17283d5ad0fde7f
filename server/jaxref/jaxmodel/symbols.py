"""Names outside of the project: what they stand for, and what calling them does."""

from __future__ import annotations

import ast
import sys
from functools import lru_cache

from jaxref.domain.values import (
    FALSE,
    UNKNOWN,
    Array,
    Const,
    Sentinel,
    Symbol,
    Unknown,
    Value,
)
from jaxref.facts import NameUsed
from jaxref.jaxmodel import array_calls
from jaxref.jaxmodel.arrays import ARRAY_FUNCTIONS, as_array, canonical_dtype, dtype_name
from jaxref.jaxmodel.history import HISTORY, exists
from jaxref.jaxmodel.registry import DESCRIPTIONS, Call, canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

SENTINELS = {
    f"jax.ad.{kind}": Sentinel(kind, False)
    for kind in ("DontWant", "GradValue", "GradRef", "DidntWant")
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


FROM_PACKAGE = "result of an installed package"
"""The reason of an Unknown that type inference may know more of."""


def attribute(m: Machine, owner: str, name: str, node: ast.AST) -> Value:
    """`owner.name` where `owner` is a name outside of the project."""
    written = f"{owner}.{name}"
    if written in HISTORY and not m.handling and not m.frame.uncertain and not exists(m, written):
        m.state_fact(NameUsed(m.site(node), written))
    return _named(written)


@lru_cache(maxsize=4096)
def _named(written: str) -> Value:
    found = canonical(written)
    return SENTINELS.get(found) or _CONSTANTS.get(found) or Symbol(found)


_OF_ARRAYS = ("jax.numpy.", "jax.nn.", "jax.lax.", "jax.random.", "jax.scipy.")


def is_described(name: str) -> bool:
    """Whether anything is known of what a function outside of the project returns."""
    return name in DESCRIPTIONS or name in ARRAY_FUNCTIONS or name.startswith(_OF_ARRAYS)


def call(m: Machine, name: str, call: Call) -> Value:
    """A call of a function outside of the project."""
    description = DESCRIPTIONS.get(name)
    if description is not None:
        return description.handler(m, call)
    if name in ARRAY_FUNCTIONS:
        return array_calls.function(m, name, call)
    if name.startswith(_OF_ARRAYS):
        return _unlisted(m, name, call)
    m.escape(call)
    package = name.partition(".")[0]
    if package in sys.stdlib_module_names or package in ("builtins", "jax", "numpy"):
        return UNKNOWN
    return Unknown(FROM_PACKAGE)


def _unlisted(m: Machine, name: str, call: Call) -> Value:
    """An array function whose shapes are not described: its result depends on its arguments."""
    short = name.rpartition(".")[2]
    dtype = dtype_name(name)
    if dtype is not None and name.startswith(("jax.numpy.", "numpy.")):
        return _converted(m, dtype, call)
    if short in array_calls.REF_FRIENDLY or not short[:1].islower():
        return UNKNOWN
    if name.startswith(("jax.numpy.", "jax.nn.", "jax.scipy.")) and array_calls.note_refs(
        m, name, call
    ):
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
    array = as_array(operand)
    return Array(array.shape, canonical_dtype(dtype), False, "jax", array.taint, array.batch)
