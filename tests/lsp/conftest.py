"""Server processes for the tests, one for each kind of client where tests can share it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from client import ENCODINGS, Client

Start = Callable[..., Client]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a server of one's own; it is not initialized."""
    clients: list[Client] = []

    def make(*arguments: str, **more: Any) -> Client:
        clients.append(Client(arguments, **more))
        return clients[-1]

    yield make
    for client in clients:
        client.kill()


def _shared(*arguments: str, **more: Any) -> Iterator[Client]:
    client = Client(arguments)
    client.initialize(**more)
    yield client
    code = client.stop()
    client.kill()
    assert code == 0


@pytest.fixture(scope="session")
def pushing() -> Iterator[Client]:
    """A client that is pushed diagnostics, in UTF-16."""
    yield from _shared()


@pytest.fixture(scope="session")
def pulling() -> Iterator[Client]:
    """A client that pulls diagnostics, in UTF-16."""
    yield from _shared(pull=True)


@pytest.fixture(scope="session", params=ENCODINGS)
def echoing(request: pytest.FixtureRequest) -> Iterator[tuple[Client, str]]:
    """A client of each encoding whose one diagnostic is the server's text, and the encoding."""
    for client in _shared("--echo", encoding=request.param, pull=True):
        yield client, request.param


_NUMBERS = itertools.count(1)


@pytest.fixture
def uri() -> str:
    """A document's URI that no other test uses."""
    return f"file:///nowhere/test{next(_NUMBERS)}.py"
