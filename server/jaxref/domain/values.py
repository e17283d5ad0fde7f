"""Abstract values. Immutable; what changes lives in the heap of a `State`, under an object id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jaxref.source.text import Span

Shape = tuple[int | None, ...]
"""A known rank; a dimension of unknown size is None."""

NO_TRACES: frozenset[int] = frozenset()


class Value:
    """What is known of a Python value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """Nothing is known. Absorbs everything; `reason` is for `jaxref reveal` only."""

    reason: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown)

    def __hash__(self) -> int:
        return 0


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A Python constant: None, bool, int, float, complex, str, bytes, Ellipsis, slice of constants."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Const)
            and type(self.value) is type(other.value)
            and (self.value == other.value or self.value is other.value)
        )

    def __hash__(self) -> int:
        try:
            return hash((type(self.value), self.value))
        except TypeError:
            return hash(type(self.value))


@dataclass(frozen=True, slots=True)
class Array(Value):
    """An array or a number whose value is not known.

    `shape` and `dtype` (JAX's name, e.g. "float32", "bfloat16", "key<fry>") are None where unknown;
    `weak` is JAX's weak type, None where unknown. `origin` is "jax", "numpy" or "python" (an int,
    float, complex or bool of unknown value), "any" where unknown. `taint` holds the ids of the
    differentiation traces it may depend on, `batch` the ids of the vmap traces it is batched over.
    """

    shape: Shape | None = None
    dtype: str | None = None
    weak: bool | None = None
    origin: str = "jax"
    taint: frozenset[int] = NO_TRACES
    batch: frozenset[int] = NO_TRACES


@dataclass(frozen=True, slots=True)
class ShapeStruct(Value):
    """`jax.ShapeDtypeStruct`."""

    shape: Shape | None
    dtype: str | None
