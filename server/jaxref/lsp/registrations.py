"""What the client is asked to tell and to ask for, where it can be asked after the start."""

from __future__ import annotations

from lsprotocol import types

from jaxref.lsp.configuration import SECTION
from jaxref.lsp.features import Features
from jaxref.lsp.publishing import PULLED_SCHEMES
from jaxref.settings import SETTINGS_FILES
from jaxref.source.documents import SUFFIXES

SETTINGS_NAMES = frozenset(SETTINGS_FILES)
ENVIRONMENT_NAMES = frozenset({"uv.lock", "pyvenv.cfg"})
"""Files that change when an environment comes or gets other packages."""
IGNORE_NAMES = frozenset({".gitignore", ".ignore"})

_WATCHED = (
    *(f"*{suffix}" for suffix in SUFFIXES),
    # Any of them may be named as the settings file.
    "*.toml",
    *sorted(ENVIRONMENT_NAMES | IGNORE_NAMES),
)
_PULL_ID = "jaxref-diagnostics"


def registrations(features: Features, workspace: bool) -> list[types.Registration]:
    """All that this client can be asked for; `workspace` as in `pull_options`."""
    made = []
    if features.pull_dynamic:
        made.append(pull_registration(workspace))
    if features.watched_files_dynamic:
        watchers = [types.FileSystemWatcher(f"**/{name}") for name in _WATCHED]
        made.append(
            types.Registration(
                "jaxref-files",
                types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                types.DidChangeWatchedFilesRegistrationOptions(watchers),
            )
        )
    if features.configuration_dynamic:
        made.append(
            types.Registration(
                "jaxref-settings",
                types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                types.DidChangeConfigurationRegistrationOptions(section=SECTION),
            )
        )
    return made


def pull_registration(workspace: bool) -> types.Registration:
    """The request to pull diagnostics."""
    return types.Registration(_PULL_ID, types.TEXT_DOCUMENT_DIAGNOSTIC, pull_options(workspace))


def pull_unregistration() -> types.Unregistration:
    """The end of `pull_registration`."""
    return types.Unregistration(_PULL_ID, types.TEXT_DOCUMENT_DIAGNOSTIC)


def pull_options(workspace: bool) -> types.DiagnosticRegistrationOptions:
    """Pulling is for whole files: cells are pushed. `workspace` for those that are not open, too."""
    return types.DiagnosticRegistrationOptions(
        inter_file_dependencies=True,
        workspace_diagnostics=workspace,
        identifier=SECTION,
        id=_PULL_ID,
        document_selector=[
            types.TextDocumentFilterLanguage(language="python", scheme=scheme)
            for scheme in PULLED_SCHEMES
        ],
    )
