"""The rule book: facts in, findings out, one file a rule."""
