"""What JAX's functions do, as registered descriptions.

A module is imported when something that it describes is asked for (`registry.DESCRIPTIONS`).
"""
