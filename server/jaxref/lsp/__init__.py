"""The language server; the only place that knows LSP types."""
