"""`jaxref server`."""

from __future__ import annotations

from jaxref.cli.choices import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def server(options: argparse.Namespace) -> int:
    """Serve until the client says goodbye. Returns the exit code."""
    tcp: tuple[str, int] | None = None
    if options.tcp is not None:
        host, _, port = options.tcp.rpartition(":")
        if not port.isascii() or not port.isdigit() or int(port) > 65535:
            complain(f"error: --tcp must be HOST:PORT, not `{options.tcp}`")
            return 2
        tcp = (host.strip("[]") or "127.0.0.1", int(port))
    from jaxref.lsp.server import serve

    return serve(tcp=tcp, log_file=options.log_file, log_level=options.log_level)
