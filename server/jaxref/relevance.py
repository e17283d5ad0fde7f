"""Whether a text can hold anything that jaxref has to say something about."""

from __future__ import annotations

import re
from functools import lru_cache

SOURCES = frozenset(
    {
        "new_ref", "empty_ref", "array_ref", "mutable_array", "ArrayRef", "MutableArray", "Ref", "free_ref",
        "freeze", "vjp", "with_refs", "fwd_and_bwd", "GradValue", "GradRef", "DontWant", "DidntWant",
        "pallas_call", "core_map", "run_state", "run_scoped", "empty_ref_like",
    }
)  # fmt: skip
"""The words by which refs and VJPs come into a program."""

_PARTS = [word for word in sorted(SOURCES) if not any(o in word for o in SOURCES - {word})]
"""The words that hold no other one: a text without any of these has none at all."""
_WORDS = re.compile(r"\b(?:" + "|".join(sorted(SOURCES)) + r")\b")


def mentions_jax(text: str) -> bool:
    """False when a module can be left unread: it does not even name JAX."""
    return "jax" in text


def mentions_refs(text: str) -> bool:
    """Whether a module names JAX and one of the words by which refs and VJPs come into a program.

    One that does not may still get refs from the modules that it imports, under any name.
    """
    return mentions_jax(text) and speaks_of_refs(text)


@lru_cache(maxsize=16)
def speaks_of_refs(text: str) -> bool:
    """True for a text with one of the words in it."""
    if not text.isascii():
        from unicodedata import normalize

        # Python reads names so.
        text = normalize("NFKC", text)
    # Looking for plain strings is far quicker, and most texts have none of them.
    return any(part in text for part in _PARTS) and _WORDS.search(text) is not None
