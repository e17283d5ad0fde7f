"""What JAX's functions do, as registered descriptions.

`descriptions.load()` imports the modules that register; `registry.DESCRIPTIONS` is then complete.
"""
