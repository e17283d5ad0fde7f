"""The language server; the only place that knows LSP types."""

from jaxref.lsp.late_protocol import import_late

# Before any module of this package imports it.
import_late()
