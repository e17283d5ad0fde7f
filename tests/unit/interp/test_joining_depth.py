"""Joining what is nested costs what differs, not more for each level around it."""

from __future__ import annotations

import sys
from collections.abc import Callable

from jaxref.domain.values import (
    MAX_INSIDE,
    UNKNOWN,
    Array,
    Const,
    Tuple,
    Union,
    Value,
    join,
    tuple_of,
)


def nested(depth: int, inside: int) -> Value:
    value: Value = Const(inside)
    for level in range(depth):
        value = Tuple((value, Const(str(level))))
    return value


def calls(work: Callable[[], object]) -> int:
    """How many functions of Python are called by `work`."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def comparisons(depth: int) -> int:
    """How much is called while two values join that differ at the bottom."""
    left, right = nested(depth, 1), nested(depth, 2)
    return calls(lambda: join(left, right))


def put_in(depth: int) -> Value:
    """What a value may be that so many conditions in a row may each put into another tuple."""
    value = tuple_of((Const("first"),))
    for level in range(depth):
        value = join(value, tuple_of((value, Const(level))))
    return value


def test_the_work_grows_with_the_depth_only() -> None:
    assert comparisons(80) < 3 * comparisons(40)


def test_the_work_of_putting_in_again_grows_with_the_number_of_conditions_only() -> None:
    put_in(20)
    assert calls(lambda: put_in(160)) < 3 * calls(lambda: put_in(80))


def test_what_is_put_in_again_covers_all_that_it_may_be() -> None:
    number = Array((), "int32", True, "python")
    first = Tuple((Const("first"),))
    once = Union((first, Tuple((first, Const(0)))))
    assert put_in(1) == once
    assert put_in(2) == Union((first, Tuple((once, number))))
    assert put_in(3) == Union((first, Tuple((put_in(2), number))))


def test_what_is_too_large_is_unknown_however_it_is_shared() -> None:
    flat = tuple_of((Const(1),) * MAX_INSIDE)
    assert tuple_of((flat,)) == Tuple((flat,))
    assert tuple_of((flat, Tuple((Const(1),)))) is UNKNOWN
    value: Value = Tuple((Const(1), Const(2)))
    for _ in range(8):
        value = tuple_of((value, value))
        assert value is not UNKNOWN
    for _ in range(100):
        value = Tuple((value, value))
    assert tuple_of((value, value)) is UNKNOWN


def test_equality_is_that_of_the_parts() -> None:
    assert nested(5, 1) == nested(5, 1)
    assert hash(nested(5, 1)) == hash(nested(5, 1))
    assert nested(5, 1) != nested(5, 2)
    assert Tuple((Const(1),)) != Union((Const(1),))
    assert Tuple((Const(1),), ("a",)) != Tuple((Const(1),))
    assert Tuple((Const(1),)) != Tuple((Const(True),))
    assert join(nested(5, 1), nested(5, 1)) == nested(5, 1)
