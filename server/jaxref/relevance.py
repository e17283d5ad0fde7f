"""Whether a text can hold anything that jaxref has to say something about."""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"new_ref|empty_ref|array_ref|mutable_array|\bRef\b|\bvjp\b|with_refs|fwd_and_bwd|ArrayRef|MutableArray"
    r"|jax\.ref|_ref\b|jax\.ad\b"
)


def mentions_jax(text: str) -> bool:
    """False when a module can be left unread: it does not even name JAX."""
    return "jax" in text


def mentions_refs(text: str) -> bool:
    """Whether a module names JAX and something of refs, VJPs, gradients or compiled functions.

    One that does not may still get refs from the modules that it imports, under any name.
    """
    if not mentions_jax(text):
        return False
    return _WORDS.search(text) is not None or "grad" in text or "jit" in text
