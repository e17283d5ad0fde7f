"""The JSON-RPC side of the server: decoding, life cycle, cancellation, trace.

pygls sends and dispatches; what it gets wrong for our purposes is replaced here. It leaves requests
that it cannot decode without an answer, knows neither "not initialized" nor "shut down", loses exit
codes, shows every error to the user every time, and keeps documents in a form that corrupts texts
with form feeds. Documents are therefore kept by `documents`, and messages come in by `receive`.
"""

from __future__ import annotations

import contextvars
import json
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cattrs import Converter
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from jaxref.lsp.features import Features, features_of
from jaxref.lsp.transport import FramingError

if TYPE_CHECKING:
    from jaxref.lsp.session import JaxrefServer

logger = logging.getLogger(__name__)

_PARSE_ERROR = -32700
_INVALID_REQUEST = -32600
_METHOD_NOT_FOUND = -32601
_INVALID_PARAMS = -32602
_INTERNAL_ERROR = -32603
_NOT_INITIALIZED = -32002

_LARGEST_UNSIGNED = 2**31 - 1

_OURS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
)
"""What pygls would do on its own workspace, which this server does not use."""


_work_done_token: contextvars.ContextVar[int | str | None] = contextvars.ContextVar(
    "work_done_token", default=None
)


class JaxrefProtocol(LanguageServerProtocol):
    """One connection: `receive` takes message bodies, the writer takes what is sent."""

    _server: JaxrefServer

    def __init__(self, server: Any, converter: Converter) -> None:
        super().__init__(server, converter)
        self.features = Features()
        self.finished: Callable[[int], None] = lambda code: None
        """Told the exit code once the client has said `exit`."""
        self._initialized = False
        self._methods: dict[int | str, tuple[str, float]] = {}
        for method in _OURS:
            self.fm.builtin_features.pop(method, None)

    # -- coming in

    def receive(self, body: bytes | FramingError) -> None:
        """Take one message: every request is answered, whatever it looks like."""
        if isinstance(body, FramingError):
            self._refuse(None, _PARSE_ERROR, str(body))
            return
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, _PARSE_ERROR, "a message is not JSON in UTF-8")
            return
        if not isinstance(message, dict):
            self._refuse(None, _INVALID_REQUEST, "a message is not an object")
            return
        try:
            self._take(message)
        except Exception as error:
            self._server.reports.internal_error(f"taking {message.get('method')}", error)
            number = message.get("id")
            if "method" in message and _is_id(number):
                self._answer_error(number, _INTERNAL_ERROR, "internal error")

    def _take(self, message: dict[str, Any]) -> None:
        number, method = message.get("id"), message.get("method")
        if "id" in message and not _is_id(number):
            self._refuse(None, _INVALID_REQUEST, "a message's id is neither a number nor a string")
            return
        if method is None:
            self._take_response(message)
            return
        if not isinstance(method, str):
            self._refuse(number, _INVALID_REQUEST, "a message's method is not a string")
            return
        problem = self._out_of_turn(method)
        if problem is not None:
            if number is not None:
                self._answer_error(number, *problem)
            return
        message["jsonrpc"] = self.VERSION
        structured, trouble = self._decoded(message)
        if trouble is None:
            self._dispatch(structured, number, method)
        elif number is not None:
            self._answer_error(number, _INVALID_PARAMS, f"{method}: {trouble}")
            logger.error("undecodable %s: %s", method, trouble)
        else:
            self._server.reports.bad_message(f"the client's {method} cannot be decoded", trouble)
            self._server.lost_track(method, message.get("params"))

    def _dispatch(self, message: Any, number: int | str | None, method: str) -> None:
        logger.debug("received %s", method)
        params = getattr(message, "params", None)
        if method == types.CANCEL_REQUEST:
            # One for a request that has been answered meanwhile is nothing to speak of.
            asked = getattr(params, "id", None)
            if isinstance(asked, (int, str)):
                future = self._request_futures.pop(asked, None)
                if future is not None:
                    future.cancel()
            return
        known = method in self.fm.features or method in self.fm.builtin_features
        context = contextvars.copy_context()
        if number is not None:
            if not known:
                self._answer_error(number, _METHOD_NOT_FOUND, f"{method} is not supported")
                return
            self._methods[number] = (method, time.perf_counter())
            context.run(self._server.asked_now)
            context.run(self._handle_request, number, method, params)
        elif known:
            context.run(self._handle_notification, method, params)

    def _out_of_turn(self, method: str) -> tuple[int, str] | None:
        if method == types.EXIT:
            return None
        if self._shutdown:
            return _INVALID_REQUEST, "the server is shut down"
        if not self._initialized and method != types.INITIALIZE:
            return _NOT_INITIALIZED, "the server is not initialized"
        if self._initialized and method == types.INITIALIZE:
            return _INVALID_REQUEST, "the server is initialized already"
        return None

    def _decoded(self, message: dict[str, Any]) -> tuple[Any, str | None]:
        try:
            return self.structure_message(message), None
        except JsonRpcException:
            pass
        try:
            return self.structure_message(_relaxed(message)), None
        except JsonRpcException as error:
            return None, _innermost(error)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message as lsprotocol's class for it; raises `JsonRpcException`."""
        if "id" in data and "method" in data and self.get_message_type(data["method"]) is None:
            data = {"params": None, **data}
        pygls_logger = logging.getLogger("pygls.protocol.json_rpc")
        level = pygls_logger.level
        # pygls logs the whole traceback, of which `_innermost` is all that helps.
        pygls_logger.setLevel(logging.CRITICAL)
        try:
            return super().structure_message(data)
        finally:
            pygls_logger.setLevel(level)

    def _take_response(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        if number is None:
            logger.warning("the client reports an error: %s", message.get("error"))
            return
        future = self._request_futures.get(number)
        if future is None or future.done():
            # Whoever asked was cancelled in the meantime.
            self._request_futures.pop(number, None)
            self._result_types.pop(number, None)
            return
        message["jsonrpc"] = self.VERSION
        try:
            structured = self.structure_message(message)
        except JsonRpcException as error:
            trouble = types.ResponseError(_INVALID_PARAMS, _innermost(error))
            self._handle_response(number, None, trouble)
            return
        if "error" in message:
            self._handle_response(number, None, structured.error)
        else:
            self._handle_response(number, structured.result)

    # -- going out

    def _refuse(self, number: int | str | None, code: int, problem: str) -> None:
        self._server.reports.bad_message(problem)
        self._answer_error(number, code, problem)

    def _answer_error(self, number: int | str | None, code: int, problem: str) -> None:
        error = {"code": code, "message": problem}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": error})

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[..., Any],
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """As in pygls, which keeps the futures of notifications and of commands for ever."""

        def settled(future: Any) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, settled, args, kwargs)

    def _run_generator(self, future: Any, *, gen: Any, result_future: Any) -> None:
        if future is not None and future.cancelled():
            # pygls would raise into the loop.
            result_future.cancel()
            return
        super()._run_generator(future, gen=gen, result_future=result_future)

    def _send_handler_result(self, future: Any, *, msg_id: int | str) -> None:
        method, since = self._methods.pop(msg_id, ("a request", time.perf_counter()))
        took = (time.perf_counter() - since) * 1000
        if future.cancelled():
            error = JsonRpcRequestCancelled("the request was cancelled").to_response_error()
            self._send_response(msg_id, error=error)
            self.log_trace(f"{method} cancelled after {took:.0f} ms")
            return
        raised = future.exception()
        if raised is None:
            try:
                self._send_response(msg_id, result=future.result())
            except Exception as unsendable:
                raised = unsendable
            else:
                self.log_trace(f"{method} answered in {took:.0f} ms")
                return
        if isinstance(raised, JsonRpcException):
            self._send_response(msg_id, error=raised.to_response_error())
            self.log_trace(f"{method} answered with error {raised.code} in {took:.0f} ms")
            return
        self._server.reports.internal_error(f"answering {method}", raised)
        self._answer_error(
            msg_id, _INTERNAL_ERROR, f"internal error ({type(raised).__name__}), see the log"
        )

    def _check_handler_result(self, future: Any) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self._server.reports.internal_error("handling a notification", error)

    def log_trace(self, message: str, verbose: str | None = None) -> None:
        """Tell the client what the server did, when it has asked to be told."""
        if self.trace == types.TraceValue.Off or self._shutdown:
            return
        detail = verbose if self.trace == types.TraceValue.Verbose else None
        self.notify(types.LOG_TRACE, types.LogTraceParams(message, detail))

    # -- life cycle

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> types.InitializeResult:  # type: ignore[override]
        """Agree with the client on what each can do."""
        self._initialized = True
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        self.features = features_of(params.capabilities)
        if params.trace is not None:
            self.trace = _trace(params.trace)
        self._server.initialize(params)
        self.server_capabilities = ServerCapabilitiesBuilder(
            self.client_capabilities,
            {*self.fm.features, *self.fm.builtin_features},
            self.fm.feature_options,
            list(self.fm.commands),
            types.TextDocumentSyncKind.Incremental,
            self._server._notebook_document_sync,
            self.features.encoding,
        ).build()  # type: ignore[no-untyped-call]
        self._server.adjust(self.server_capabilities)
        return types.InitializeResult(self.server_capabilities, self.server_info)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """Run a command, which can ask for `work_done_token`."""
        _work_done_token.set(params.work_done_token)
        return (yield from super().lsp_workspace__execute_command(params))

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Stop a piece of work; one that has ended meanwhile is nothing to speak of."""
        future = self.progress.tokens.get(params.token) if _is_id(params.token) else None
        if future is not None:
            future.cancel()

    @property
    def work_done_token(self) -> int | str | None:
        """The client's token for the progress of the command that runs in this context."""
        return _work_done_token.get()

    @lsp_method(types.SET_TRACE)
    def lsp_set_trace(self, params: types.SetTraceParams) -> None:  # type: ignore[override]
        """Change how much `$/logTrace` tells."""
        self.trace = _trace(params.value)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> None:  # type: ignore[override]
        """Stop working; what is still asked is cancelled."""
        for number, future in list(self._request_futures.items()):
            if number != self.msg_id and not future.done():
                future.cancel()
        self._server.stop_working()
        self._shutdown = True

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        """End: with 0 after a shutdown, with 1 without."""
        self.finished(self.exit_code())

    def exit_code(self) -> int:
        """0 when the client has shut the server down in the proper way, else 1."""
        return 0 if self._shutdown else 1


def _trace(value: types.TraceValue | str) -> types.TraceValue:
    try:
        return types.TraceValue(value)
    except ValueError:
        return types.TraceValue.Off


def _is_id(number: object) -> bool:
    return isinstance(number, (int, str)) and not isinstance(number, bool)


def _relaxed(message: dict[str, Any]) -> dict[str, Any]:
    """The message without what clients are known to send against the protocol.

    Columns beyond 2**31 - 1 stand for "the end of the line"; diagnostics of other servers, which
    come along with requests for code actions, are of no use here.
    """

    def clamped(value: Any) -> Any:
        if isinstance(value, list):
            return [clamped(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {
            key: min(one, _LARGEST_UNSIGNED)
            if key in ("line", "character") and isinstance(one, int)
            else clamped(one)
            for key, one in value.items()
        }

    relaxed: dict[str, Any] = clamped(message)
    if message.get("method") == types.TEXT_DOCUMENT_CODE_ACTION:
        params = relaxed.get("params")
        context = params.get("context") if isinstance(params, dict) else None
        if isinstance(context, dict):
            context["diagnostics"] = []
    return relaxed


def _innermost(error: BaseException) -> str:
    """The first of the reasons for which a message could not be decoded, in one line."""
    reason: BaseException = error.__cause__ or error
    where: list[str] = []
    while (inner := getattr(reason, "exceptions", None)) and inner:
        reason = inner[0]
        where += [
            note.rpartition(" ")[2]
            for note in getattr(reason, "__notes__", ())
            if isinstance(note, str)
        ]
    problem = f"missing {reason}" if isinstance(reason, KeyError) else str(reason)
    path = ".".join(where)
    return f"{path}: {problem}" if path else problem
