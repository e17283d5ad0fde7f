"""Quick dataclasses are what the standard library's are, and are made when they are needed."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from jaxref import quick_dataclasses

QUICK = SimpleNamespace(
    dataclass=quick_dataclasses._dataclass,
    field=quick_dataclasses._field,
    replace=quick_dataclasses._replace,
    NamedTuple=quick_dataclasses._NamedTuple,
)
STANDARD = SimpleNamespace(**vars(dataclasses), NamedTuple=NamedTuple)


def classes(library: Any) -> SimpleNamespace:
    """The same classes made with the one library and with the other."""
    dataclass, field = library.dataclass, library.field

    class Base:
        __slots__ = ()

    @dataclass(frozen=True, slots=True)
    class Point(Base):
        """A point."""

        x: int
        y: float = 2.0
        tags: list[int] = field(default_factory=list, compare=False, repr=False)

        def moved(self) -> Any:
            return library.replace(self, x=self.x + 1)

    @dataclass(frozen=True, slots=True)
    class Space(Point):
        z: int = 5
        length: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "length", self.x + self.z)

    @dataclass(frozen=True, slots=True)
    class Own:
        value: Any

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    @dataclass(frozen=True, slots=True)
    class Equal:
        value: Any

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Equal)

    @dataclass(frozen=True, slots=True, eq=False)
    class Identity:
        x: int = 1

    @dataclass(slots=True)
    class Mutable:
        x: int
        seen: set[int] = field(default_factory=set)

    @dataclass
    class Open:
        x: int
        known: dict[str, int] = field(default_factory=dict)
        y: int = 3

    class Place(library.NamedTuple):
        """A place."""

        line: int
        column: int = 1

        def below(self) -> Any:
            return type(self)(self.line + 1, self.column)

    return SimpleNamespace(**{k: v for k, v in locals().items() if isinstance(v, type)})


def generated(made: SimpleNamespace) -> SimpleNamespace:
    """The classes after so many instances that all methods are generated."""
    for name in vars(made).keys() & {"Point", "Space", "Mutable", "Open", "Place"}:
        for _ in range(quick_dataclasses._FILLED_BY_HAND + 1):
            getattr(made, name)(1)
    return made


BOTH = (classes(QUICK), classes(STANDARD))

USES = {
    "made by position": lambda c: c.Point(1, 2.5),
    "made by name": lambda c: c.Point(y=2.5, x=1),
    "defaults": lambda c: (c.Point(1).y, c.Point(1).tags, c.Point(1).tags is c.Point(1).tags),
    "given in the place of a factory": lambda c: c.Point(1, 2.0, [3]).tags,
    "inherited": lambda c: (c.Space(1, z=3), c.Space(1).length, c.Space(1).moved().length),
    "missing": lambda c: c.Point(),
    "too many": lambda c: c.Point(1, 2, [], 4),
    "unknown name": lambda c: c.Point(1, w=1),
    "equal": lambda c: (c.Point(1) == c.Point(1), c.Point(1) == c.Point(2), c.Point(1) == 1),
    "not of one class": lambda c: c.Point(1) == c.Space(1),
    "not compared": lambda c: c.Point(1, tags=[1]) == c.Point(1),
    "hash": lambda c: (hash(c.Point(1, 2.0)), len({c.Point(1), c.Point(1), c.Point(3)})),
    "hash of a subclass": lambda c: hash(c.Space(1)),
    "unhashable value": lambda c: hash(c.Point([])),
    "own methods": lambda c: (c.Own(1) == c.Own(2), hash(c.Own(1)), repr(c.Own(1))),
    "own equality, hash of the fields": lambda c: (c.Equal(1) == c.Equal(2), hash(c.Equal(1))),
    "by identity": lambda c: (c.Identity() == c.Identity(), c.Identity(2).x),
    "mutable": lambda c: (setattr(c.Mutable(1), "x", 2), c.Mutable(1) == c.Mutable(1)),
    "mutable is unhashable": lambda c: hash(c.Mutable(1)),
    "slots": lambda c: (c.Point.__slots__, c.Space.__slots__, hasattr(c.Mutable(1), "__dict__")),
    "no slots": lambda c: (vars(c.Open(1)), c.Open.y, hasattr(c.Open, "known")),
    "frozen": lambda c: setattr(c.Point(1), "x", 2),
    "frozen against deletion": lambda c: delattr(c.Point(1), "x"),
    "no such attribute": lambda c: c.Point(1).w,
    "repr": lambda c: (repr(c.Point(1)).split(".")[-1], repr(c.Mutable(1)).split(".")[-1]),
    "copy": lambda c: (copy.copy(c.Space(1)), copy.deepcopy(c.Space(1, tags=[2])).tags),
    "state": lambda c: (c.Space(1).__getstate__(), c.Mutable(1, {2})),
    "match": lambda c: (c.Point.__match_args__, c.Space.__match_args__),
    "replace": lambda c: (c.Point(1).moved(), dataclasses.replace(c.Point(1), y=3)),
    "replace what cannot be given": lambda c: dataclasses.replace(c.Space(1), length=3),
    "as a dict": lambda c: (dataclasses.asdict(c.Space(1)), dataclasses.is_dataclass(c.Open)),
    "fields": lambda c: [(one.name, one.type, one.init) for one in dataclasses.fields(c.Space)],
    "named tuple": lambda c: (
        c.Place(1, 2),
        c.Place(1),
        c.Place(column=2, line=1),
        tuple(c.Place(3)),
    ),
    "named tuple's fields": lambda c: (
        c.Place(1, 2).line,
        c.Place(1, 2).column,
        c.Place(1).below(),
    ),
    "named tuple as a tuple": lambda c: (
        c.Place(1) == (1, 1),
        [*c.Place(2)],
        sorted({c.Place(2): 0}),
    ),
    "named tuple with too few": lambda c: c.Place(),
    "named tuple with too many": lambda c: c.Place(1, 2, 3),
    "named tuple with an unknown name": lambda c: c.Place(1, row=2),
    "named tuple is frozen": lambda c: setattr(c.Place(1), "line", 2),
    "named tuple without a dict": lambda c: (vars(c.Place(1)),),
    "named tuple in a match": lambda c: (
        c.Place.__match_args__,
        c.Place.__slots__,
        c.Place.__doc__,
    ),
    "named tuple copied": lambda c: (copy.copy(c.Place(1)), copy.deepcopy(c.Place(1))),
    "documented": lambda c: (c.Point.__doc__, c.Point.__name__, c.Point.__module__),
}


def outcome(use: Any, made: Any) -> object:
    try:
        return repr(use(made))
    except Exception as error:
        # `FrozenInstanceError` is an `AttributeError`.
        return AttributeError if isinstance(error, AttributeError) else (type(error), str(error))


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_as_in_the_standard_library(use: Any) -> None:
    standard = outcome(use, BOTH[1])
    assert outcome(use, classes(QUICK)) == standard
    assert outcome(use, generated(classes(QUICK))) == standard


def test_replace_keeps_what_is_not_to_be_given() -> None:
    with pytest.raises(TypeError, match="length"):
        QUICK.replace(BOTH[0].Space(1), length=3)


@QUICK.dataclass(frozen=True, slots=True)
class Sent:
    x: int
    y: tuple[int, ...] = ()


class SentTuple(QUICK.NamedTuple):  # type: ignore[misc]
    x: int
    y: int


def test_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(Sent(1, (2, 3)))) == Sent(1, (2, 3))
    received = pickle.loads(pickle.dumps(SentTuple(1, 2)))
    assert (received, type(received)) == ((1, 2), SentTuple)


def test_methods_are_generated_once_and_late() -> None:
    made = classes(QUICK).Point
    by_hand = made.__init__
    made(1)
    assert made.__init__ is by_hand
    first = made.__init__, made.__eq__
    assert made(1) == made(1)
    assert made.__eq__ is not first[1]
    generated(SimpleNamespace(Point=made))
    late = made.__init__, made.__eq__
    assert late[0] is not by_hand
    assert made(2) == made(2)
    assert late == (made.__init__, made.__eq__)


def test_what_the_package_does_not_use_is_refused() -> None:
    with pytest.raises(TypeError, match="slots"):
        QUICK.dataclass(frozen=True)
    with pytest.raises(TypeError, match="order"):
        QUICK.dataclass(order=True)
