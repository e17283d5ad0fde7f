"""The abstract interpreter: expressions, statements, calls, tracing contexts, to facts."""
