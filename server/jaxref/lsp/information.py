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
    from jaxref.settings import Settings

COMMAND = "jaxref.server.information"
"""The command that returns `information`."""


async def information(server: JaxrefServer, uri: str | None = None) -> Mapping[str, Any]:
    """The versions, the client, and for each open module its settings and how it fared.

    With `uri` only the module of that document is among them.
    """
    async with server.configuring:
        uris = list(server.documents.module_uris())
    if uri is not None:
        module_uri = server.documents.module_uri(uri)
        uris = [] if module_uri is None else [module_uri]
    return {
        "version": jaxref.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": system(),
        "client": server.client_name,
        "features": {
            name: sorted(value) if isinstance(value, frozenset) else value
            for name, value in asdict(server.features).items()
        },
        "folders": [folder.uri for folder in server.configuration.folders],
        "modules": [await _module(server, one) for one in uris],
    }


async def _module(server: JaxrefServer, uri: str) -> Mapping[str, Any]:
    path = path_of(uri) or uri
    held = server.configuration.of(path)
    settings = held.settings
    analysis = server.analyses.latest(uri)
    found = await server.worker.submit(
        lambda cancel: _environment(path, settings), urgent=True
    ).future
    return {
        "uri": uri,
        "settingsFile": settings.source,
        "python": settings.python,
        **found,
        "select": settings.select,
        "ignore": settings.ignore,
        "diagnosticMode": held.editor.diagnostic_mode,
        "excluded": server.configuration.excludes(path),
        "analysed": analysis is not None,
        "findings": None if analysis is None else len(analysis.diagnostics),
        "incomplete": [] if analysis is None else list(analysis.incomplete),
        "dependencies": [] if analysis is None else sorted(analysis.dependencies),
    }


def _environment(path: str, settings: Settings) -> Mapping[str, Any]:
    from jaxref.resolve.environment import jax_version
    from jaxref.resolve.surroundings import environment_for

    environment, _ = environment_for(path, settings)
    found = jax_version(environment)
    origin = "settings" if settings.jax_version else "environment" if found else "assumed"
    return {
        "environment": None if environment is None else environment.prefix,
        "environmentFrom": None if environment is None else environment.origin,
        "jaxVersion": _dotted(settings.jax_version or found),
        "jaxVersionFrom": origin,
    }


def system() -> str:
    """The operating system. `platform.platform` would start `uname` to find out the processor."""
    return f"{platform.system()} {platform.release()} {platform.machine()}"


def _dotted(version: tuple[int, ...] | None) -> str | None:
    return None if version is None else ".".join(map(str, version))
