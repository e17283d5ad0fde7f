"""What holds also where nothing is passed over for having nothing to do with refs."""

from __future__ import annotations

import pytest
from surviving import survive
from sweep import lift_filters
from test_every_node import EVERYTHING
from zoo import PROGRAMS

ENDED = '''\
def run_async(coro):
        try:
            buffer.append(coro.send(None))
        except StopIteration as ex:
            break
        samples = [
            """def foo(await):
            """,
            """def foo(await):
            """
        ]
        for code in samples:
            self.assertEqual(repr(cm.unraisable.object), coro_repr)
        class BadTarget:
            def __setitem__(self, key, value):
                raise StopAsyncIteration(42)
        tgt = BadTarget()
        async def source():
            yield 10
        async def run_list():
            with self.assertRaises(StopAsyncIteration) as cm:
                return [0 async for tgt[0] in source()]
        self.assertEqual(run_async(run_list()), ([], 'end'))
        async def run_gen():
            gen = (0 async for tgt[0] in source())
        try:
            check(2, "".join([
            ]))
        finally:
            sys.set_coroutine_origin_tracking_depth(orig_depth)
'''
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
