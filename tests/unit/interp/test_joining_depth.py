"""Joining what is nested costs what differs, not more for each level around it."""

from __future__ import annotations

import sys

from jaxref.domain.values import Const, Tuple, Union, Value, join


def nested(depth: int, inside: int) -> Value:
    value: Value = Const(inside)
    for level in range(depth):
        value = Tuple((value, Const(str(level))))
    return value


def comparisons(depth: int) -> int:
    """How often parts are compared while two values join that differ at the bottom."""
    left, right = nested(depth, 1), nested(depth, 2)
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_name in ("__eq__", "_parts")

    sys.setprofile(note)
    try:
        join(left, right)
    finally:
        sys.setprofile(None)
    return count


def test_the_work_grows_with_the_depth_only() -> None:
    assert comparisons(80) < 3 * comparisons(40)


def test_equality_is_that_of_the_parts() -> None:
    assert nested(5, 1) == nested(5, 1)
    assert hash(nested(5, 1)) == hash(nested(5, 1))
    assert nested(5, 1) != nested(5, 2)
    assert Tuple((Const(1),)) != Union((Const(1),))
    assert Tuple((Const(1),), ("a",)) != Tuple((Const(1),))
    assert Tuple((Const(1),)) != Tuple((Const(True),))
    assert join(nested(5, 1), nested(5, 1)) == nested(5, 1)
