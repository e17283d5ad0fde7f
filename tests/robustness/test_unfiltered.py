"""What holds also where nothing is passed over for having nothing to do with refs."""

from __future__ import annotations

import pytest
from surviving import survive
from sweep import lift_filters
from test_every_node import EVERYTHING
from zoo import PROGRAMS

ENDED = """\
class BadTarget:
    def __setitem__(self, key, value):
        raise ValueError(42)
target = BadTarget()
def f():
    gen = (0 for target[0] in [10, 11])
    buffer = []
    buffer.append([0 for target[0] in [10, 11]])
    return buffer
def g(coro):
    try:
        buffer.append(coro.send(None))
    except StopIteration as ex:
        pass
    async def source():
        yield 10
    async def run_list():
        return [0 async for target[0] in source()]
    g(run_list())
"""
"""A list of which the path has ended when it is appended to."""


@pytest.fixture(autouse=True)
def unfiltered(monkeypatch: pytest.MonkeyPatch) -> None:
    lift_filters(monkeypatch.setattr)


def test_a_list_whose_path_has_ended() -> None:
    survive(ENDED)


def test_everything_of_the_grammar() -> None:
    survive(EVERYTHING)


@pytest.mark.parametrize(
    "name", [name for name in PROGRAMS if name.startswith(("odd", "circular"))]
)
def test_the_zoo(name: str) -> None:
    survive(PROGRAMS[name])
