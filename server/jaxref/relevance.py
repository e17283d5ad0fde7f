"""Whether a text can hold anything that jaxref has to say something about."""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"new_ref|empty_ref|array_ref|mutable_array|\bRef\b|\bvjp\b|with_refs|fwd_and_bwd|ArrayRef|MutableArray"
    r"|jax\.ref|_ref\b|jax\.ad\b"
)


def mentions_refs(text: str) -> bool:
    """False when a module can be left unread: it names neither JAX nor anything of refs or VJPs.

    Refs may come from another module of the project under any name; a module that imports only such
    names has no word of its own, so everything that mentions JAX and differentiates counts.
    """
    if "jax" not in text:
        return False
    return _WORDS.search(text) is not None or "grad" in text or "jit" in text
