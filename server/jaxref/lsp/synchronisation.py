"""The notifications that keep the server's documents, files and settings those of the client."""

from __future__ import annotations

from lsprotocol import types

from jaxref.lsp.session import JaxrefServer
from jaxref.lsp.uris import path_of


def register(server: JaxrefServer) -> None:
    """Make `server` take in what the client tells."""
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(_notebook_opened)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(_notebook_changed)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(_notebook_saved)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(_notebook_closed)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_configuration_changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_files_changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_folders_changed)


async def _initialized(ls: JaxrefServer, params: types.InitializedParams) -> None:
    await ls.settle_in()


def _opened(ls: JaxrefServer, params: types.DidOpenTextDocumentParams) -> None:
    uri = params.text_document.uri
    ls.reread_settings()
    ls.documents.open(params.text_document)
    if ls.documents.module_uri(uri) == uri:
        ls.workspace_findings.opened(uri)
        ls.module_changed(uri, at_once=True)


def _changed(ls: JaxrefServer, params: types.DidChangeTextDocumentParams) -> None:
    identifier = params.text_document
    if not ls.documents.change(identifier.uri, identifier.version, params.content_changes):
        return
    module_uri = ls.documents.module_uri(identifier.uri)
    if module_uri is not None:
        ls.module_changed(module_uri, at_once=False)


def _saved(ls: JaxrefServer, params: types.DidSaveTextDocumentParams) -> None:
    uri = params.text_document.uri
    if ls.documents.module_uri(uri) == uri:
        ls.publisher.changed(uri, at_once=True)
    ls.reread_settings()
    path = path_of(uri)
    if path is not None:
        ls.files_changed(frozenset([path]), listing_changed=False)


def _closed(ls: JaxrefServer, params: types.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    if ls.documents.is_cell(uri):
        return
    ls.analyses.closed(uri)
    ls.documents.close(uri)
    ls.publisher.closed(uri)
    ls.workspace_findings.closed(uri)
    ls.used_by_others(uri)


def _notebook_opened(ls: JaxrefServer, params: types.DidOpenNotebookDocumentParams) -> None:
    ls.reread_settings()
    ls.documents.open_notebook(params.notebook_document, params.cell_text_documents)
    ls.workspace_findings.opened(params.notebook_document.uri)
    ls.module_changed(params.notebook_document.uri, at_once=True)


def _notebook_changed(ls: JaxrefServer, params: types.DidChangeNotebookDocumentParams) -> None:
    uri = params.notebook_document.uri
    closed = ls.documents.change_notebook(uri, params.notebook_document.version, params.change)
    if closed is None:
        return
    ls.publisher.cells_closed(uri, closed)
    ls.module_changed(uri, at_once=False)


def _notebook_saved(ls: JaxrefServer, params: types.DidSaveNotebookDocumentParams) -> None:
    uri = params.notebook_document.uri
    ls.reread_settings()
    if ls.documents.module_uri(uri) is not None:
        ls.publisher.changed(uri, at_once=True)


def _notebook_closed(ls: JaxrefServer, params: types.DidCloseNotebookDocumentParams) -> None:
    uri = params.notebook_document.uri
    ls.analyses.closed(uri)
    cells = ls.documents.close_notebook(uri, [one.uri for one in params.cell_text_documents])
    ls.publisher.cells_closed(uri, cells)
    ls.publisher.closed(uri)
    ls.workspace_findings.closed(uri)


async def _configuration_changed(
    ls: JaxrefServer, params: types.DidChangeConfigurationParams
) -> None:
    ls.configuration.pushed(params.settings)
    await ls.configure_anew()


def _files_changed(ls: JaxrefServer, params: types.DidChangeWatchedFilesParams) -> None:
    paths = {path: change.type for change in params.changes if (path := path_of(change.uri))}
    listing_changed = any(kind != types.FileChangeType.Changed for kind in paths.values())
    if paths:
        ls.files_changed(frozenset(paths), listing_changed=listing_changed)


async def _folders_changed(ls: JaxrefServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    gone = {folder.uri for folder in params.event.removed}
    added = [folder for folder in params.event.added if folder.uri not in gone]
    kept = [folder for folder in ls.configuration.folders if folder.uri not in gone]
    ls.configuration.folders = [*kept, *added]
    await ls.configure_anew()
    # What a folder's settings exclude depends on where the folder is.
    ls.outdated(list(ls.documents.module_uris()))
