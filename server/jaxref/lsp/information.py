"""What a bug report needs to know of a running server. No source text is in it."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import jaxref
from jaxref.lsp.uris import path_of

if TYPE_CHECKING:
    from jaxref.lsp.session import JaxrefServer

COMMAND = "jaxref.server.information"
"""The command that returns `information`."""


def information(server: JaxrefServer) -> Mapping[str, Any]:
    """The versions, the client, and for each open module its settings and how it fared."""
    return {
        "version": jaxref.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "client": server.client_name,
        "features": {
            name: sorted(value) if isinstance(value, frozenset) else value
            for name, value in asdict(server.features).items()
        },
        "folders": [folder.uri for folder in server.configuration.folders],
        "modules": [_module(server, uri) for uri in server.documents.module_uris()],
    }


def _module(server: JaxrefServer, uri: str) -> Mapping[str, Any]:
    path = path_of(uri) or uri
    settings = server.configuration.settings_of(path)
    analysis = server.analyses.latest(uri)
    return {
        "uri": uri,
        "settingsFile": settings.source,
        "python": settings.python,
        "jaxVersion": ".".join(map(str, settings.jax_version or ())) or None,
        "select": settings.select,
        "ignore": settings.ignore,
        "excluded": server.configuration.excludes(path),
        "analysed": analysis is not None,
        "findings": None if analysis is None else len(analysis.diagnostics),
        "incomplete": [] if analysis is None else list(analysis.incomplete),
        "dependencies": [] if analysis is None else sorted(analysis.dependencies),
    }
