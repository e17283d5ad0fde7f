"""The language server; the only place that knows LSP types."""

import sys

from jaxref.lsp.late_protocol import import_late


def _import_asyncio() -> None:
    """Import asyncio as where Python has no `ssl`, which takes as long to import as half of the rest.

    Nothing is encrypted here. Whoever imports `ssl` later gets it.
    """
    if "asyncio" in sys.modules or "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        import asyncio  # noqa: F401
    finally:
        del sys.modules["ssl"]


# Before any module of this package imports them.
_import_asyncio()
import_late()
