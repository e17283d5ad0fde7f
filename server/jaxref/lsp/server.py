"""The language server: what it answers, and how it is run."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from jaxref.engine import Analysis
from jaxref.engine import analyse as engine_analyse
from jaxref.lsp import actions, completions, entries, hints, hovers, signatures, synchronisation
from jaxref.lsp.analyses import Analyse
from jaxref.lsp.documents import Module
from jaxref.lsp.information import COMMAND, information
from jaxref.lsp.positions import to_offset
from jaxref.lsp.session import JaxrefServer
from jaxref.lsp.transport import Framing, StdioStream, protected_stdio
from jaxref.lsp.worker import Superseded
from jaxref.lsp.workspace import CHECK_COMMAND

logger = logging.getLogger(__name__)


def serve(
    *,
    stdio: bool = True,
    tcp: tuple[str, int] | None = None,
    log_file: str | None = None,
    log_level: str = "warning",
    analyse: Analyse = engine_analyse,
    quiet: float = 0.15,
) -> int:
    """Serve one client until it leaves; returns the exit code of the process.

    With `tcp` the first client to connect there is served, on standard input and output otherwise.
    Port 0 takes a free one; where the server listens is said on standard error. The code is 0 when
    the client has asked for `shutdown`, and 1 when it has left or died without. After a change
    `quiet` seconds pass before it is analysed for diagnostics.
    """
    if not stdio and tcp is None:
        raise ValueError("either standard input and output or a TCP address is needed")
    stream = protected_stdio() if tcp is None else None
    place = _log_to(log_file, log_level)
    server = create_server(analyse, place, quiet)
    # What was imported stays, and need not be looked at for cycles.
    gc.freeze()
    try:
        if stream is not None:
            return asyncio.run(_serve_stdio(server, stream))
        assert tcp is not None
        return asyncio.run(_serve_tcp(server, *tcp))
    except KeyboardInterrupt:
        return 130


def create_server(
    analyse: Analyse = engine_analyse,
    log_place: str = "the server's log",
    quiet: float = 0.15,
) -> JaxrefServer:
    """A server that is not connected yet. `log_place` tells users where the log is."""
    server = JaxrefServer(analyse, log_place, quiet)
    synchronisation.register(server)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=list(actions.KINDS), resolve_provider=True),
    )(_code_actions)
    server.feature(types.CODE_ACTION_RESOLVE)(_resolve_action)
    server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC)(_pull_diagnostics)
    server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=list(completions.TRIGGERS + entries.TRIGGERS)),
    )(_completion)
    server.feature(types.TEXT_DOCUMENT_INLAY_HINT)(_inlay_hints)
    server.feature(types.INLAY_HINT_RESOLVE)(_resolve_hint)
    server.feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=list(signatures.TRIGGERS)),
    )(_signature_help)
    server.command(COMMAND)(_information)
    server.feature(types.WORKSPACE_DIAGNOSTIC)(_pull_workspace)
    server.command(CHECK_COMMAND)(_check_workspace)
    return server


async def _hover(ls: JaxrefServer, params: types.HoverParams) -> types.Hover | None:
    if not ls.editor_settings(params.text_document.uri).hover:
        return None
    return await hovers.hover(ls.documents, ls.analyses, ls.features, params)


async def _code_actions(ls: JaxrefServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    editor = ls.editor_settings(params.text_document.uri)
    return await actions.code_actions(ls.documents, ls.analyses, ls.features, editor, params)


async def _resolve_action(ls: JaxrefServer, params: types.CodeAction) -> types.CodeAction:
    return await actions.resolved(ls.documents, ls.analyses, ls.features, params)


async def _pull_diagnostics(
    ls: JaxrefServer, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    return await ls.publisher.pull(params)


async def _completion(
    ls: JaxrefServer, params: types.CompletionParams
) -> types.CompletionList | None:
    rules = completions.completion(ls.documents, ls.features, params)
    if rules is not None:
        return rules
    uri = params.text_document.uri
    text = ls.documents.text(uri)
    if text is None:
        return None
    around = await signatures.call_around(
        ls.documents, ls.analyses, ls.features, uri, params.position
    )
    if around is None:
        return None
    inside = to_offset(text, params.position, ls.features.encoding)
    items = entries.entry_items(around, ls.features, text, inside)
    return None if items is None else types.CompletionList(is_incomplete=False, items=items)


async def _inlay_hints(
    ls: JaxrefServer, params: types.InlayHintParams
) -> list[types.InlayHint] | None:
    uri = params.text_document.uri
    module_uri = ls.documents.module_uri(uri)
    if module_uri is None:
        return None
    editor = ls.editor_settings(uri)
    kinds = hints.Kinds(editor.entry_names, editor.vjp_state, editor.types)

    def find(module: Module, analysis: Analysis) -> list[types.InlayHint] | None:
        return hints.inlay_hints(module, analysis, kinds, ls.features, uri, params.range)

    try:
        _, _, found = await ls.analyses.answer(module_uri, find)
    except Superseded:
        raise JsonRpcContentModified("the document has changed") from None
    return found


def _resolve_hint(params: types.InlayHint) -> types.InlayHint:
    return hints.resolved(params)


async def _signature_help(
    ls: JaxrefServer, params: types.SignatureHelpParams
) -> types.SignatureHelp | None:
    return await signatures.signature_help(ls.documents, ls.analyses, ls.features, params)


async def _information(ls: JaxrefServer, *uris: str) -> Mapping[str, Any]:
    if len(uris) > 1 or not all(isinstance(uri, str) for uri in uris):
        raise JsonRpcInvalidParams(f"{COMMAND} takes nothing, or the URI of one document")
    return await information(ls, uris[0] if uris else None)


async def _pull_workspace(
    ls: JaxrefServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    return await ls.pull_workspace(params)


async def _check_workspace(ls: JaxrefServer) -> Mapping[str, Any]:
    return asdict(await ls.workspace_findings.check(ls.protocol.work_done_token))


async def _serve_stdio(server: JaxrefServer, stream: StdioStream) -> int:
    finished: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    framing = Framing()

    def received(data: bytes) -> None:
        for body in framing.feed(data):
            if not finished.done():
                server.protocol.receive(body)

    _connect(server, stream, finished)
    stream.start_reading(received, lambda: server.protocol.finished(server.protocol.exit_code()))
    code = await finished
    server.stop_working()
    stream.close()
    return code


async def _serve_tcp(server: JaxrefServer, host: str, port: int) -> int:
    finished: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    taken = False

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        if taken:
            logger.warning("a second client was turned away")
            writer.close()
            return
        taken = True
        framing = Framing()
        _connect(server, writer, finished)
        with contextlib.suppress(OSError):
            while not finished.done() and (data := await reader.read(1 << 16)):
                for body in framing.feed(data):
                    if not finished.done():
                        server.protocol.receive(body)
        server.protocol.finished(server.protocol.exit_code())
        server.stop_working()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    listener = await asyncio.start_server(connected, host, port)
    for listening in listener.sockets:
        address = listening.getsockname()
        print(f"listening on {address[0]}:{address[1]}", file=sys.stderr, flush=True)
    async with listener:
        code = await finished
    return code


def _connect(
    server: JaxrefServer,
    writer: StdioStream | asyncio.StreamWriter,
    finished: asyncio.Future[int],
) -> None:
    def finish(code: int) -> None:
        if not finished.done():
            finished.set_result(code)

    server.protocol.finished = finish
    server.protocol.set_writer(writer)


def _log_to(file: str | None, level: str) -> str:
    """Begin the log, and say where it is: in the file where that can be written."""
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    problem: OSError | None = None
    if file is not None:
        try:
            handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            problem = error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    # pygls logs every message it sends, whole, as information.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    if problem is not None:
        logger.warning("the log is written here: %s", problem)
    return "the server's standard error" if file is None or problem is not None else file
