"""One connection's state, and what its parts tell each other."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import platform
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

import jaxref
from jaxref.engine import Analysis
from jaxref.lsp import rulebook
from jaxref.lsp.analyses import Analyse, Analyses
from jaxref.lsp.client_settings import EditorSettings
from jaxref.lsp.closed_files import ClosedFiles
from jaxref.lsp.configuration import SECTION, Configuration
from jaxref.lsp.conversion import lenient_converter
from jaxref.lsp.documents import Documents, Module
from jaxref.lsp.features import Features
from jaxref.lsp.findings import shown
from jaxref.lsp.protocol import JaxrefProtocol
from jaxref.lsp.publishing import Publisher
from jaxref.lsp.registrations import (
    ENVIRONMENT_NAMES,
    IGNORE_NAMES,
    SETTINGS_NAMES,
    pull_options,
    pull_registration,
    pull_unregistration,
    registrations,
)
from jaxref.lsp.reports import Reports
from jaxref.lsp.settings_problems import SettingsProblems
from jaxref.lsp.transport import is_alive, until_dead
from jaxref.lsp.uris import path_of, uri_of
from jaxref.lsp.work_done import Token, WorkDone
from jaxref.lsp.worker import Worker
from jaxref.lsp.workspace import Workspace
from jaxref.resolve.questions import shared_backend
from jaxref.settings import Settings
from jaxref.source.documents import kind_of

logger = logging.getLogger(__name__)

_CLIENT_ANSWER_SECONDS = 10.0
_SETTINGS_PATIENCE_SECONDS = 2.0
"""How long the first analysis waits for the client's settings."""


class JaxrefServer(LanguageServer):
    """The state of one connection. Everything here happens on the loop; `worker` has its thread."""

    protocol: JaxrefProtocol

    def __init__(self, analyse: Analyse, log_place: str, quiet: float) -> None:
        super().__init__(
            "jaxref",
            jaxref.__version__,
            types.TextDocumentSyncKind.Incremental,
            types.NotebookDocumentSyncOptions(
                notebook_selector=[
                    types.NotebookDocumentFilterWithNotebook(
                        notebook="*", cells=[types.NotebookCellLanguage(language="python")]
                    )
                ],
                save=True,
            ),
            protocol_cls=JaxrefProtocol,
            converter_factory=lenient_converter,
        )
        self.reports = Reports(self._show, log_place)
        self.documents = Documents()
        self.settings_problems = SettingsProblems(
            self.documents, self.text_document_publish_diagnostics, self.reports
        )
        self.configuration = Configuration(
            self.settings_problems.read, lambda: rulebook.summaries().keys()
        )
        self.worker = Worker()
        self.analyses = Analyses(
            self.documents,
            self.worker,
            analyse,
            settings_of=self._settings_of,
            excludes=self._excludes,
            ready=self._until_configured,
            late=self._knows_more,
            failed=self._analysis_failed,
            failed_inside=self._failed_inside,
            finished=self._analysis_finished,
        )
        self.publisher = Publisher(
            self.documents,
            self.analyses,
            send=self.text_document_publish_diagnostics,
            refresh=self._refresh_diagnostics,
            failed=self._diagnosing_failed,
            quiet=quiet,
        )
        self.closed_files = ClosedFiles(
            self.documents,
            self.configuration,
            self.worker,
            analyse,
            late=lambda path: self.workspace_findings.files_changed([path]),
            failed=self._analysis_of_file_failed,
        )
        self.workspace_findings = Workspace(
            self.closed_files,
            self.configuration,
            send=self.text_document_publish_diagnostics,
            partial=lambda token, part: self.protocol.notify(
                types.PROGRESS, types.ProgressParams(token, part)
            ),
            begin=self._begin_work,
            quiet=quiet,
        )
        self.client_name: str | None = None
        self.configuring = asyncio.Lock()
        """Held while the client is asked for settings."""
        self._configured = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._workspace_registered: bool | None = None
        """Whether the client was asked to pull the findings of the workspace; None when it cannot be."""

    @property
    def features(self) -> Features:
        """What the client can do."""
        return self.protocol.features

    def editor_settings(self, uri: str) -> EditorSettings:
        """What concerns the editor alone, for a document or cell."""
        return self.configuration.of(_path(self.documents.module_uri(uri) or uri)).editor

    # -- life

    def initialize(self, params: types.InitializeParams) -> None:
        """Take in what the client says of itself."""
        features = self.protocol.features
        self.documents.encoding = features.encoding
        self.publisher.features = features
        self.closed_files.features = features
        self.settings_problems.encoding = features.encoding
        self.configuration.folders = list(params.workspace_folders or ())
        root = params.root_uri
        if root is None and params.root_path:
            root = uri_of(params.root_path)
        if not self.configuration.folders and root is not None:
            self.configuration.folders = [types.WorkspaceFolder(root, "root")]
        self.configuration.pushed(params.initialization_options)
        if params.client_info is not None:
            self.client_name = (
                f"{params.client_info.name} {params.client_info.version or ''}".strip()
            )
        logger.info(
            "jaxref %s on Python %s for %s, columns in %s, folders: %s",
            jaxref.__version__,
            platform.python_version(),
            self.client_name or "an unnamed client",
            features.encoding,
            ", ".join(folder.uri for folder in self.configuration.folders) or "none",
        )
        if params.process_id is not None and is_alive(params.process_id):
            # One that cannot be seen, as from inside a container, cannot be watched.
            self._watch = asyncio.create_task(self._follow(params.process_id))

    def adjust(self, capabilities: types.ServerCapabilities) -> None:
        """Set what pygls does not know how to say of this server."""
        if not self.features.pull or self.features.pull_dynamic:
            capabilities.diagnostic_provider = None
        else:
            wanted = self.workspace_findings.is_wanted()
            capabilities.diagnostic_provider = pull_options(wanted)

    def start(self, coroutine: Any) -> None:
        """Run something beside the requests; it is kept alive, and its failure reported."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def stop_working(self) -> None:
        """Send no more diagnostics and give up all analyses."""
        self.publisher.stop()
        self.workspace_findings.stop()
        for uri in list(self.documents.module_uris()):
            self.analyses.outdated(uri)
        for task in list(self._tasks):
            task.cancel()
        self.worker.stop()

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.reports.internal_error("working in the background", error)

    async def _follow(self, process: int) -> None:
        await until_dead(process)
        logger.info("the client's process %d has ended", process)
        self.protocol.finished(self.protocol.exit_code())

    async def ask_client(self, method: str, params: Any) -> Any:
        """The client's answer. Raises `TimeoutError` when it gives none.

        The request itself is shielded: pygls cannot take an answer to a cancelled one.
        """
        answer = self.protocol.send_request_async(method, params)
        return await asyncio.wait_for(asyncio.shield(answer), _CLIENT_ANSWER_SECONDS)

    async def settle_in(self) -> None:
        """Ask for what only works once the client is initialized."""
        shared_backend().when_failed = self._inference_reporter()
        workspace = self.features.pull and self.workspace_findings.is_wanted()
        wanted = registrations(self.features, workspace)
        if wanted:
            self.start(self._register(wanted))
        if self.features.pull_dynamic:
            self._workspace_registered = workspace
        self.workspace_findings.expect_pulls(workspace)
        try:
            # For what was read because the client took its time, too.
            await self.configure_anew()
        finally:
            self._configured.set()

    async def configure_anew(self) -> None:
        """Take in the client's settings and what has changed with them, one change after the other."""
        async with self.configuring:
            await self._pull_configuration()
            self.settings_changed()

    async def _pull_configuration(self) -> None:
        """Ask for the client's settings, and take whatever comes."""
        if not self.features.configuration:
            return
        scopes = self.configuration.scopes()
        items = [types.ConfigurationItem(scope, SECTION) for scope in scopes]
        try:
            answers = await self.ask_client(
                types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items)
            )
        except (JsonRpcException, TimeoutError) as error:
            logger.warning("the client gives no settings: %r", error)
            return
        self.configuration.pulled(scopes, answers or ())

    def settings_changed(self) -> None:
        """Read all settings anew, and look again at the modules whose settings have changed."""
        before = {uri: self.configuration.known(_path(uri)) for uri in self.documents.module_uris()}
        self.configuration.reread()
        with self.settings_problems.reading():
            after = {uri: self.configuration.of(_path(uri)) for uri in before}
        self.outdated([uri for uri, known in before.items() if known not in (None, after[uri])])
        self._pull_workspace_as_wanted()
        self.workspace_findings.settings_changed()

    async def pull_workspace(
        self, params: types.WorkspaceDiagnosticParams
    ) -> types.WorkspaceDiagnosticReport:
        """The answer to `workspace/diagnostic`."""
        await self._until_configured()
        return await self.workspace_findings.pull(
            params, watched=self.features.watched_files_dynamic
        )

    def asked_now(self) -> None:
        """Remember, in this context, when the request that is answered in it came."""
        self.analyses.asked_now()
        self.workspace_findings.asked_now()

    def outdated(self, module_uris: Sequence[str]) -> None:
        """Something other than the text of these modules has changed."""
        for uri in module_uris:
            self.documents.touch(uri)
            self.analyses.outdated(uri)
        self.publisher.outdated(list(module_uris))
        if module_uris and self.features.hint_refresh:
            self.start(self._ask_quietly(types.WORKSPACE_INLAY_HINT_REFRESH, None))

    def module_changed(self, module_uri: str, *, at_once: bool) -> None:
        """The text of a module has changed, and so what is true of those that use it."""
        self.analyses.outdated(module_uri)
        self.publisher.changed(module_uri, at_once=at_once)
        self.used_by_others(module_uri)
        path = path_of(module_uri)
        if path is not None:
            self.workspace_findings.files_changed([path])

    def used_by_others(self, module_uri: str) -> None:
        """Look again at the modules that use this one: open texts win over the disk."""
        path = path_of(module_uri)
        if path is not None:
            users = self.analyses.dependents(frozenset([path]), known_only=True)
            self.outdated([uri for uri in users if uri != module_uri])

    def files_changed(self, paths: frozenset[str], *, listing_changed: bool) -> None:
        """Files have changed on disk; `listing_changed` when some have come or gone."""
        names = {os.path.basename(path) for path in paths}
        if names & ENVIRONMENT_NAMES:
            from jaxref.resolve.surroundings import forget_environments

            forget_environments()
        if names & (SETTINGS_NAMES | ENVIRONMENT_NAMES) or self.configuration.rests_on(paths):
            self.settings_changed()
        modules_changed = any(kind_of(name) not in (None, "page") for name in names)
        concerned = (
            list(self.documents.module_uris())
            if names & ENVIRONMENT_NAMES or (listing_changed and modules_changed)
            else self.analyses.dependents(paths)
        )
        self.outdated([uri for uri in concerned if path_of(uri) not in paths])
        self.workspace_findings.files_changed(
            paths, listing_changed=listing_changed or bool(names & IGNORE_NAMES)
        )

    def reread_settings(self) -> None:
        """Reread settings files when the client would not say that they have changed."""
        if not self.features.watched_files_dynamic:
            self.settings_changed()

    def lost_track(self, method: str, params: object) -> None:
        """A notification could not be decoded; a document that it changed is no longer known."""
        if method not in (types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_OPEN):
            return
        identifier = params.get("textDocument") if isinstance(params, Mapping) else None
        uri = identifier.get("uri") if isinstance(identifier, Mapping) else None
        if isinstance(uri, str) and self.documents.module_uri(uri) == uri:
            self.analyses.closed(uri)
            self.documents.close(uri)
            self.publisher.closed(uri)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What pygls could not do; requests have been answered by then."""
        if source is FeatureRequestError and isinstance(error, JsonRpcException):
            return
        self.reports.internal_error("talking to the client", error)

    # -- what the parts of the server are told

    def _show(self, line: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, line))

    def _settings_of(self, module: Module) -> Settings:
        return self.configuration.settings_of(module.snapshot.path)

    def _excludes(self, module: Module) -> bool:
        return self.configuration.excludes(module.snapshot.path)

    async def _until_configured(self) -> None:
        if not self._configured.is_set():
            try:
                await asyncio.wait_for(self._configured.wait(), _SETTINGS_PATIENCE_SECONDS)
            except TimeoutError:
                self._configured.set()

    def _knows_more(self, module: Module) -> None:
        if self.documents.is_current(module):
            self.outdated([module.uri])

    def _analysis_of_file_failed(self, path: str, error: BaseException) -> None:
        self.reports.internal_error(f"analysing {os.path.basename(path)}", error)

    def _begin_work(self, title: str, token: Token | None) -> WorkDone:
        def create(made: str) -> Awaitable[Any]:
            return self.ask_client(
                types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(made)
            )

        return WorkDone(
            title,
            token if isinstance(token, (int, str)) else None,
            create=create if self.features.work_done else None,
            notify=lambda to, value: self.protocol.notify(
                types.PROGRESS, types.ProgressParams(to, value)
            ),
            tokens=self.protocol.progress.tokens,
        )

    def _analysis_failed(self, module: Module, error: BaseException) -> None:
        self.reports.internal_error(f"analysing {_short(module)}", error)

    def _inference_reporter(self) -> Callable[[str], None]:
        loop = asyncio.get_running_loop()

        def report(failure: str) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self.reports.internal_failure, "inferring types", failure)

        return report

    def _diagnosing_failed(self, module_uri: str, error: BaseException) -> None:
        name = os.path.basename(_path(module_uri))
        self.reports.internal_error(f"finding the diagnostics of {name}", error)

    def _analysis_finished(self, module: Module, analysis: Analysis, seconds: float) -> None:
        said = f"analysed {_short(module)} in {seconds * 1000:.0f} ms"
        detail = [f"{len(shown(analysis))} findings", *analysis.incomplete, *analysis.failures]
        logger.info("%s: %s", said, "; ".join(detail))
        self.protocol.log_trace(said, "\n".join(detail))
        for failure in analysis.failures:
            self._failed_inside(module, failure)

    def _failed_inside(self, module: Module, failure: str) -> None:
        self.reports.internal_failure(f"analysing {_short(module)}", failure)

    def _refresh_diagnostics(self) -> None:
        if self.features.pull_refresh:
            self.start(self._ask_quietly(types.WORKSPACE_DIAGNOSTIC_REFRESH, None))

    async def _ask_quietly(self, method: str, params: Any) -> None:
        try:
            await self.ask_client(method, params)
        except (JsonRpcException, TimeoutError) as error:
            logger.warning("the client did not take %s: %r", method, error)

    async def _register(self, registrations: list[types.Registration]) -> None:
        await self._ask_quietly(
            types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations)
        )

    def _pull_workspace_as_wanted(self) -> None:
        """Make the client pull the findings of the workspace, or leave off, as the settings want."""
        wanted = self.workspace_findings.is_wanted()
        if self._workspace_registered not in (None, wanted):
            self._workspace_registered = wanted
            self.workspace_findings.expect_pulls(wanted)
            gone = types.UnregistrationParams([pull_unregistration()])
            # Messages arrive in the order in which they are sent.
            self.start(self._ask_quietly(types.CLIENT_UNREGISTER_CAPABILITY, gone))
            self.start(self._register([pull_registration(wanted)]))


def _path(module_uri: str) -> str:
    return path_of(module_uri) or module_uri


def _short(module: Module) -> str:
    return os.path.basename(module.snapshot.path)
