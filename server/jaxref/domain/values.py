"""Abstract values. Immutable; what changes lives in the heap of a `State`, under an object id."""

from __future__ import annotations

from collections.abc import Mapping

from jaxref.quick_dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


class _Compound(Value):
    """A value made of others, which compares its hash first and keeps it.

    Joining compares what is nested at each level: by the items alone, values that differ far inside
    would take time that grows with the square of the depth.
    """

    __slots__ = ("_hash", "_inside")
    _hash: int
    _inside: int

    def _parts(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(self) is type(other)
            and hash(self) == hash(other)
            and self._parts() == other._parts()
        )

    def __hash__(self) -> int:
        found: int
        try:
            found = self._hash
        except AttributeError:
            try:
                found = hash(self._parts())
            except TypeError:
                # What holds a mapping has none.
                found = 0
            object.__setattr__(self, "_hash", found)
        return found


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


@dataclass(frozen=True, slots=True, eq=False)
class Tuple(_Compound):
    """A tuple, or a NamedTuple when `names` and `cls` say so."""

    items: tuple[Value, ...]
    names: tuple[str, ...] = ()
    cls: int = 0
    cls_name: str = ""

    def _parts(self) -> tuple[object, ...]:
        return (self.items, self.names, self.cls, self.cls_name)


@dataclass(frozen=True, slots=True)
class ListV(Value):
    """A list, set, generator, iterator or deque; its items are in the heap under `id`."""

    id: int


@dataclass(frozen=True, slots=True)
class DictV(Value):
    """A dict; its entries are in the heap under `id`."""

    id: int


@dataclass(frozen=True, slots=True)
class Instance(Value):
    """An instance of a class of the project; its attributes are in the heap under `id`."""

    id: int
    cls: ClassV


@dataclass(frozen=True, slots=True, eq=False)
class ClassV(Value):
    """A class of the project. Its attributes are in the heap under `id`."""

    id: int
    name: str
    node: Any
    scope: int
    module: Any
    bases: tuple[Value, ...] = ()
    shape: ClassShape = field(default_factory=lambda: ClassShape())


@dataclass(slots=True)
class ClassShape:
    """How JAX and dataclasses see a class: filled while the class statement is evaluated."""

    kind: str = "plain"
    """plain | dataclass | namedtuple | enum"""
    fields: list[str] = field(default_factory=list)
    defaults: dict[str, Value] = field(default_factory=dict)
    init_fields: list[str] = field(default_factory=list)
    frozen: bool = False
    opaque_base: bool = False
    """True when a base class is not known, so attributes and methods may come from anywhere."""
    pytree: str | None = None
    """None: a leaf to JAX. "fields": registered, its children are `data_fields`. "unknown": registered
    in a way that cannot be followed."""
    data_fields: list[str] = field(default_factory=list)
    flatten: Value | None = None
    unflatten: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Function(Value):
    """A `def` or `lambda` with the environment it was made in."""

    node: Any
    scope: int
    module: Any
    defaults: tuple[Value, ...] = ()
    kw_defaults: tuple[Value | None, ...] = ()
    owner: ClassV | None = None
    scopes: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return str(getattr(self.node, "name", "<lambda>"))


@dataclass(frozen=True, slots=True)
class BoundMethod(Value):
    """A function with its first argument, of the project."""

    function: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Method(Value):
    """A method that jaxref knows, of a value that is not an instance of a project class."""

    receiver: Value
    name: str


@dataclass(frozen=True, slots=True)
class Symbol(Value):
    """Something outside of the project by its canonical dotted name, e.g. `jax.numpy.sin`."""

    name: str


@dataclass(frozen=True, slots=True)
class ModuleV(Value):
    """A module of the project or of an installed package, read from its source."""

    scope: int
    path: str
    name: str


@dataclass(frozen=True, slots=True)
class RefValue(Value):
    """A ref. The heap object `id` is its identity; `shape` is that of this view of it.

    `via` holds the ids of the traces that received it as an argument, `batched` those of the vmap
    traces that map over it. `tree`: it stands for all leaves of a tree of unknown structure.
    """

    id: int
    shape: Shape | None = None
    dtype: str | None = None
    via: frozenset[int] = NO_TRACES
    batched: frozenset[int] = NO_TRACES
    tree: bool = False


@dataclass(frozen=True, slots=True)
class RefAt(Value):
    """`ref.at[index]`: a view of a ref."""

    ref: Value
    shape: Shape | None
    dtype: str | None


@dataclass(frozen=True, slots=True)
class RefAtProperty(Value):
    """`ref.at`, before it is indexed."""

    ref: Value


@dataclass(frozen=True, slots=True)
class Vjp(Value):
    """What `jax.vjp` gives to apply; what is known of it is in the heap under `id`."""

    id: int


@dataclass(frozen=True, slots=True)
class Sentinel(Value):
    """`DontWant`, `GradValue`, `GradRef` or `DidntWant`: the class, or an instance of it."""

    kind: str
    instance: bool
    origin: Any = None
    """For an instance that a bound VJP returned in place of a gradient: what it stands for."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sentinel)
            and (self.kind, self.instance) == (other.kind, other.instance)
            and (self.origin is None) == (other.origin is None)
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.instance))


@dataclass(frozen=True, slots=True, eq=False)
class Transformed(Value):
    """A function under a JAX transform (`jit`, `vmap`, `grad`, ...), with the options it was given."""

    kind: str
    function: Value
    options: Mapping[str, Value]
    site: Any = None


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """`functools.partial` and `jax.tree_util.Partial`."""

    function: Value
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Native(Value):
    """A callable that jaxref models as a Python function of its own."""

    name: str
    call: Any


@dataclass(frozen=True, slots=True)
class Descriptor(Value):
    """`property`, `staticmethod`, `classmethod`, `cached_property` around a function."""

    kind: str
    function: Value
    setter: Value | None = None


@dataclass(frozen=True, slots=True)
class Super(Value):
    """`super()`: attribute look-up starts behind `cls`."""

    cls: ClassV
    receiver: Value


@dataclass(frozen=True, slots=True, eq=False)
class Pending(Value):
    """A call of a generator function under `contextlib.contextmanager`: a `with` statement runs it."""

    function: Value
    call: Any


@dataclass(frozen=True, slots=True)
class Structure(Value):
    """A `jax.tree.structure`: the TreeDef, and the value it was taken from."""

    treedef: Any
    template: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and self.treedef == other.treedef

    def __hash__(self) -> int:
        return hash(self.treedef)


@dataclass(frozen=True, slots=True)
class Opaque(Value):
    """An unknown argument with an identity: what a function does to it proves what it is."""

    id: int


@dataclass(frozen=True, slots=True, eq=False)
class Union(_Compound):
    """One of a few values, depending on the path taken."""

    options: tuple[Value, ...]

    def _parts(self) -> tuple[object, ...]:
        return self.options


UNION_WIDTH = 6

NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)

PYTHON_DTYPES = {bool: "bool", int: "int32", float: "float32", complex: "complex64"}


def python_number(kind: type) -> Array:
    """A Python number of type `kind` whose value is not known."""
    return Array((), PYTHON_DTYPES[kind], kind is not bool, "python")


MAX_INSIDE = 4_000
"""How many values a tuple may hold, those inside of what it holds counted as often as they are reached."""


MAX_TEXT = 100_000
"""The length of a string that an operation may make; what is doubled again and again grows fast."""


def tuple_of(items: tuple[Value, ...]) -> Value:
    """A plain tuple, or Unknown where it is too large: one that holds another twice, and so on, is
    small in memory, and yet comparing two of them takes as long as writing them out."""
    return UNKNOWN if _inside_of(items) > MAX_INSIDE else Tuple(items)


def _inside_of(items: tuple[Value, ...]) -> int:
    """How many values are inside of `items`, or some number above `MAX_INSIDE`."""
    count = 0
    for item in items:
        if isinstance(item, (Tuple, Union)):
            try:
                count += item._inside
            except AttributeError:
                inner = options(item) if isinstance(item, Union) else item.items
                # Doubled again and again the number would have a thousand digits.
                found = min(len(inner) + _inside_of(inner), MAX_INSIDE + 1)
                object.__setattr__(item, "_inside", found)
                count += found
    return count


def options(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value: those of a Union, otherwise the value alone."""
    return value.options if isinstance(value, Union) else (value,)


def join(left: Value, right: Value) -> Value:
    """The least value that covers both. Unknown absorbs; unions are capped at `UNION_WIDTH`."""
    if left is right:
        return left
    if isinstance(left, Unknown):
        return left if isinstance(right, Unknown) else UNKNOWN
    if isinstance(right, Unknown):
        return UNKNOWN
    if left == right:
        return left
    if not (isinstance(left, _Compound) and isinstance(right, _Compound)):
        return _joined(left, right)
    key = (id(left), id(right))
    known = _joins.get(key)
    if known is None:
        result = _joined(left, right)
        # What is equal is one object, so that what holds it is found in `_joins`, too.
        result = left if result == left else right if result == right else result
        if len(_joins) >= _KEPT_JOINS:
            _joins.clear()
        known = _joins[key] = (left, right, result)
    return known[2]


_joins: dict[tuple[int, int], tuple[Value, Value, Value]] = {}
"""Joins of values made of others, by identity; it holds the values, so that none has the id of another.

What is put into a tuple again and again, under one condition after the other, is joined with what it
was before, and so is all that it holds: without this the time grows with the square of the depth.
"""
_KEPT_JOINS = 256


def _joined(left: Value, right: Value) -> Value:
    merged: list[Value] = list(options(left))
    for other in options(right):
        for index, mine in enumerate(merged):
            one = _merge(mine, other)
            if one is not None:
                merged[index] = one
                break
        else:
            merged.append(other)
    if any(isinstance(value, Unknown) for value in merged) or len(merged) > UNION_WIDTH:
        return UNKNOWN
    return merged[0] if len(merged) == 1 else Union(tuple(merged))


def join_all(values: list[Value]) -> Value:
    """The join of `values`; Unknown for none."""
    if not values:
        return UNKNOWN
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def _merge(left: Value, right: Value) -> Value | None:
    """One value for both without a Union, or None when they are best kept apart."""
    if left is right or left == right:
        return left
    left_number, right_number = _as_number(left), _as_number(right)
    if left_number is not None and right_number is not None:
        return join_arrays(left_number, right_number)
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        if len(left.items) == len(right.items) and (left.names, left.cls) == (
            right.names,
            right.cls,
        ):
            items = tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True))
            return Tuple(items, left.names, left.cls, left.cls_name)
    if isinstance(left, RefValue) and isinstance(right, RefValue) and left.id == right.id:
        same = left.shape == right.shape
        return RefValue(
            left.id, left.shape if same else None, left.dtype, left.via & right.via,
            left.batched & right.batched,
        )  # fmt: skip
    return None


def _as_number(value: Value) -> Array | None:
    if isinstance(value, Array):
        return value
    if (
        isinstance(value, Const)
        and type(value.value) in PYTHON_DTYPES
        and not isinstance(value.value, bool)
    ):
        return python_number(type(value.value))
    return None


def join_arrays(left: Array, right: Array) -> Array:
    """What both arrays have in common."""
    shape: Shape | None = None
    if left.shape is not None and right.shape is not None and len(left.shape) == len(right.shape):
        shape = tuple(a if a == b else None for a, b in zip(left.shape, right.shape, strict=True))
    return Array(
        shape,
        left.dtype if left.dtype == right.dtype else None,
        left.weak if left.weak == right.weak else None,
        left.origin if left.origin == right.origin else "any",
        left.taint | right.taint,
        left.batch | right.batch,
    )


def map_options(value: Value, change: Any) -> Value:
    """`change` applied to each alternative, joined."""
    if isinstance(value, Union):
        return join_all([change(option) for option in value.options])
    result: Value = change(value)
    return result
