"""Progress of long work, as the client shows it, and the user's wish to stop it."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

_LONG_SECONDS = 0.5
"""Work that is done by then is not worth showing."""
_BETWEEN_SECONDS = 0.1

Token = int | str


class WorkDone:
    """A piece of work, as an asynchronous context.

    It is shown at once by a `token` that the client gave, else once it takes long, where the client
    can show it. `tokens` is pygls's table, by which the user's wish to stop arrives.
    """

    def __init__(
        self,
        title: str,
        token: Token | None,
        *,
        create: Callable[[str], Awaitable[Any]] | None,
        notify: Callable[[Token, Any], None],
        tokens: dict[Any, Future[Any]],
    ) -> None:
        self._title = title
        self._token = token
        self._create = create
        self._notify = notify
        self._tokens = tokens
        self._wish: Future[Any] = Future()
        self._creating: asyncio.Task[None] | None = None
        self._shown = False
        self._done = (0, 0)
        self._reported = 0.0

    @property
    def stopped(self) -> bool:
        """Whether the user has asked for the end of it."""
        return self._wish.cancelled()

    def report(self, done: int, total: int) -> None:
        """Say how far the work is."""
        self._done = (done, total)
        now = time.monotonic()
        if self._shown and now - self._reported >= _BETWEEN_SECONDS:
            self._reported = now
            self._tell(
                types.WorkDoneProgressReport(
                    cancellable=True, message=self._message(), percentage=self._percentage()
                )
            )

    async def __aenter__(self) -> WorkDone:
        if self._token is not None:
            self._begin(self._token)
        elif self._create is not None:
            self._creating = asyncio.create_task(self._show_later(self._create))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._creating is not None:
            self._creating.cancel()
        if self._shown:
            self._tell(types.WorkDoneProgressEnd(message=self._message()))
        self._tokens.pop(self._token, None)

    async def _show_later(self, create: Callable[[str], Awaitable[Any]]) -> None:
        await asyncio.sleep(_LONG_SECONDS)
        token = str(uuid.uuid4())
        with contextlib.suppress(JsonRpcException, TimeoutError):
            await create(token)
            self._begin(token)

    def _begin(self, token: Token) -> None:
        self._token, self._shown = token, True
        self._tokens[token] = self._wish
        self._tell(
            types.WorkDoneProgressBegin(
                self._title,
                cancellable=True,
                message=self._message(),
                percentage=self._percentage(),
            )
        )

    def _message(self) -> str:
        done, total = self._done
        return f"{done} of {total} files" if total else "looking for files"

    def _percentage(self) -> int:
        done, total = self._done
        return 100 * done // total if total else 0

    def _tell(self, value: Any) -> None:
        assert self._token is not None
        self._notify(self._token, value)
