"""The heap: what changes while a program runs. Objects are replaced, never altered, so that a
branch of the program is a shallow copy and a join looks only at what the branches wrote."""

from __future__ import annotations

from collections.abc import Callable

from jaxref.domain.values import UNKNOWN, Shape, Value, join, join_all
from jaxref.quick_dataclasses import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Maybe = bool | None
"""True, False, or None for "on some paths"."""


def either(left: Maybe, right: Maybe) -> Maybe:
    """What holds after two paths met."""
    return left if left is right else None


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a module, function or class body. `parent` is the enclosing scope's id, 0: none."""

    parent: int
    names: dict[str, Value]
    kind: str = "function"


@dataclass(frozen=True, slots=True)
class ListObject:
    """`items` when the length is known; otherwise every item is covered by `rest`."""

    items: tuple[Value, ...] | None
    rest: Value = UNKNOWN
    kind: str = "list"


MAX_ITEMS = 10_000
"""How many items of a list are told apart. One that is added to itself again and again grows fast."""


def list_of(items: tuple[Value, ...], kind: str = "list") -> ListObject:
    """A list of these items, or of what each may be where they are too many."""
    if len(items) > MAX_ITEMS:
        return ListObject(None, join_all(list(items)), kind)
    return ListObject(items, UNKNOWN, kind)


@dataclass(frozen=True, slots=True)
class DictObject:
    """Known entries by constant key; `open` when there may be others, covered by `rest`."""

    entries: dict[Any, Value]
    open: bool = False
    rest: Value = UNKNOWN


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of an instance or a class; `open` when there may be others."""

    names: dict[str, Value]
    open: bool = False


@dataclass(frozen=True, slots=True)
class RefObject:
    """One ref: where it was made and what happened to it so far."""

    path: str
    span: Any
    name: str | None
    shape: Shape | None
    dtype: str | None
    traces: frozenset[int]
    kind: str | None = None
    many: bool = False
    how: str = "new_ref"
    """new_ref | empty_ref | parameter (annotated or proved) | kernel (given by JAX to a kernel)"""
    taint: frozenset[int] = frozenset()
    """Differentiation traces that the content may depend on."""
    frozen: Maybe = False
    frozen_at: Any = None
    frozen_unused: bool = False
    """True when the value that ended it was thrown away: JAX then drops the freezing itself."""
    written: Maybe = False
    accumulated: int = 0
    """How many gradients were added to it by bound VJPs since it was last overwritten."""
    generation: int = 0
    """Changes when the whole is overwritten. What is read from a ref with accumulated gradients carries
    the negated generation in its taint, so that a parameter updated with them can be told."""
    content: Value = UNKNOWN
    """What it was made from."""
    initial: bool = True
    """True while the content is still what it was made from."""
    nonzero: bool = False
    """True when it was made from a number that is not 0."""


@dataclass(frozen=True, slots=True)
class VjpObject:
    """A VJP. `info` never changes; `bound` entries and the counts do."""

    info: Any
    bound: Any = None
    applied: int = 0
    loaded: bool = False
    logs: bool = False


@dataclass(frozen=True, slots=True)
class OpaqueObject:
    """An unknown argument: `proved` is "ref" once it was used as only a ref can be."""

    name: str
    proved: str | None = None
    written: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A single mutable slot, e.g. what a `custom_vjp` function was given by `defvjp`."""

    values: dict[str, Value]


_JOINERS: dict[type, Callable[[Any, Any], Any]] = {}


def _join_names(left: dict[str, Value], right: dict[str, Value]) -> dict[str, Value]:
    names = dict(left)
    for name, value in right.items():
        mine = names.get(name)
        if mine is None:
            # Bound on one path only: using it elsewhere is Python's NameError, not our business.
            names[name] = value
        elif mine is not value:
            names[name] = join(mine, value)
    return names


def _join_scope(left: Scope, right: Scope) -> Scope:
    return Scope(left.parent, _join_names(left.names, right.names), left.kind)


def _join_list(left: ListObject, right: ListObject) -> ListObject:
    if left.items is not None and right.items is not None and len(left.items) == len(right.items):
        items = tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True))
        return ListObject(items, UNKNOWN, left.kind)
    members = [*(left.items if left.items is not None else (left.rest,))]
    members += right.items if right.items is not None else (right.rest,)
    rest: Value | None = None
    for member in members:
        rest = member if rest is None else join(rest, member)
    return ListObject(None, UNKNOWN if rest is None else rest, left.kind)


def _join_dict(left: DictObject, right: DictObject) -> DictObject:
    if left.open or right.open or left.entries.keys() != right.entries.keys():
        rest: Value = UNKNOWN
        entries = {
            key: join(value, right.entries[key])
            for key, value in left.entries.items()
            if key in right.entries
        }
        return DictObject(entries, True, rest)
    return DictObject({key: join(value, right.entries[key]) for key, value in left.entries.items()})


def _join_attributes(left: Attributes, right: Attributes) -> Attributes:
    return Attributes(_join_names(left.names, right.names), left.open or right.open)


def _join_ref(left: RefObject, right: RefObject) -> RefObject:
    return replace(
        left,
        name=left.name or right.name,
        taint=left.taint | right.taint,
        frozen=either(left.frozen, right.frozen),
        frozen_at=left.frozen_at or right.frozen_at,
        written=either(left.written, right.written),
        accumulated=min(left.accumulated, right.accumulated),
        generation=max(left.generation, right.generation),
        initial=left.initial and right.initial,
        content=join(left.content, right.content),
    )


def _join_vjp(left: VjpObject, right: VjpObject) -> VjpObject:
    return replace(
        left,
        applied=min(left.applied, right.applied),
        loaded=left.loaded or right.loaded,
    )


def _join_opaque(left: OpaqueObject, right: OpaqueObject) -> OpaqueObject:
    return replace(left, proved=left.proved or right.proved, written=left.written or right.written)


def _join_cell(left: Cell, right: Cell) -> Cell:
    return Cell(_join_names(left.values, right.values))


_JOINERS.update(
    {
        Scope: _join_scope,
        ListObject: _join_list,
        DictObject: _join_dict,
        Attributes: _join_attributes,
        RefObject: _join_ref,
        VjpObject: _join_vjp,
        OpaqueObject: _join_opaque,
        Cell: _join_cell,
    }
)


MOST_OF_A_LAYER = 300


class Objects(dict[int, "Any"]):
    """Objects by id: those written lately, over a `base` that states share and nobody changes.

    A copy costs as much as there was written lately, not as much as there is.
    """

    __slots__ = ("base",)
    base: dict[int, Any]

    def __missing__(self, key: int) -> Any:
        return self.base[key]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self.base

    def get(self, key: int, default: Any = None) -> Any:
        """The object `key`, or `default`."""
        try:
            return self[key]
        except KeyError:
            return default

    def copy(self) -> Objects:
        """An independent copy."""
        if len(self) > MOST_OF_A_LAYER:
            self.base = {**self.base, **self}
            self.clear()
        copy = Objects(self)
        copy.base = self.base
        return copy


def _no_objects() -> Objects:
    made = Objects()
    made.base = {}
    return made


@dataclass(slots=True)
class State:
    """The heap at one place of the program, `live` while that place can be reached.

    `log` is shared by all states of a run and lists the ids that any of them wrote, in order: whatever
    differs between states that were one when the log had length n stands in it from n on. That is what
    a join looks at. `owned` are the scopes that no other state shares, so that a name can be bound in
    place.
    """

    objects: Objects = field(default_factory=_no_objects)
    log: list[int] = field(default_factory=list)
    owned: set[int] = field(default_factory=set)
    live: bool = True

    def fork(self) -> State:
        """An independent copy, as at the start of a branch."""
        self.owned.clear()
        return State(self.objects.copy(), self.log, set(), self.live)

    def mark(self) -> int:
        """The present length of the log, for a later `join_states`."""
        return len(self.log)

    def put(self, key: int, value: Any) -> None:
        """Replace the heap object `key`."""
        self.objects[key] = value
        self.log.append(key)

    def bind(self, scope: int, name: str, value: Value) -> None:
        """Bind `name` in the scope `scope`."""
        if scope in self.owned:
            self.objects[scope].names[name] = value
            return
        old = self.objects[scope]
        self.objects[scope] = Scope(old.parent, {**old.names, name: value}, old.kind)
        self.owned.add(scope)
        self.log.append(scope)


def join_states(states: list[State], mark: int) -> State:
    """The state after `states` met, all of them descended from one that was there at `mark`.

    Dead states do not count; when all are dead so is the result. `states` is not empty.
    """
    live = [state for state in states if state.live]
    if not live:
        return states[0]
    result = live[0]
    if len(live) == 1:
        return result
    result = result.fork()
    objects = result.objects
    keys, lately = set(result.log[mark:]), dict.get
    for state in live[1:]:
        if state is live[0]:
            continue
        theirs = state.objects
        for key in keys:
            # By the methods of `dict`: most of what is looked up was written lately.
            other, mine = lately(theirs, key), lately(objects, key)
            if other is None:
                other = theirs.base.get(key)
            if mine is None:
                mine = objects.base.get(key)
            if mine is other or other is None:
                continue
            objects[key] = other if mine is None else _JOINERS[type(mine)](mine, other)
            result.log.append(key)
    return result
