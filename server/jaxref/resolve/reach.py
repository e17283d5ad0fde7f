"""Whether refs can come into a module from those that it imports: told from their texts alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxref.resolve.modules import ModuleFile
    from jaxref.resolve.resolver import Resolver

SOURCES = frozenset(
    {
        "new_ref", "empty_ref", "array_ref", "mutable_array", "ArrayRef", "MutableArray", "Ref", "free_ref",
        "freeze", "vjp", "with_refs", "fwd_and_bwd", "GradValue", "GradRef", "DontWant", "DidntWant",
        "pallas_call", "core_map", "run_state", "run_scoped", "empty_ref_like",
    }
)  # fmt: skip
"""The words by which refs and VJPs come into a program."""

MAX_MODULES = 100
"""So many modules are looked into for what they import."""

_WORDS = re.compile(r"\b(?:" + "|".join(sorted(SOURCES)) + r")\b")
_IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([\w.]+))",
    re.MULTILINE,
)
_WANTED = re.compile(r"(?<!as )\b(?!as\b)[A-Za-z_]\w*")


def speaks_of_refs(text: str) -> bool:
    """True for a text with one of the words in it."""
    return _WORDS.search(text) is not None


def imports_in(text: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """The modules that a text imports, read off its lines: name, leading dots, what of it."""
    for found in _IMPORTS.finditer(text):
        dots, name, wanted, plain = found.groups()
        if plain:
            yield plain, 0, ()
        else:
            yield name or "", len(dots or ""), tuple(_WANTED.findall(wanted))


def imported_by(resolver: Resolver, text: str, path: str) -> list[ModuleFile]:
    """The modules that the text of the file `path` imports, as far as they are found."""
    imported = []
    for name, dots, wanted in imports_in(text):
        found = resolver.module(name, path, dots)
        if found is None:
            continue
        imported.append(found)
        if found.is_package:
            prefix = f"{name}." if name else ""
            inner = [resolver.module(prefix + one, path, dots) for one in wanted]
            imported += [one for one in inner if one is not None]
    return imported


class Reach:
    """What is known of the modules of one analysis; each is read once."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._read: dict[str, tuple[bool, tuple[ModuleFile, ...]]] = {}

    def of(self, first: ModuleFile) -> bool:
        """Whether a module, or one that it imports, speaks of refs."""
        waiting, seen = [first], {first.path}
        while waiting and len(seen) <= MAX_MODULES:
            speaks, imported = self._look(waiting.pop())
            if speaks:
                return True
            waiting += [source for source in imported if source.path not in seen]
            seen.update(source.path for source in imported)
        return False

    def from_text(self, text: str, path: str) -> bool:
        """Whether a module that the text of the file `path` imports can bring refs into it."""
        return any(self.of(source) for source in imported_by(self._resolver, text, path))

    def _look(self, source: ModuleFile) -> tuple[bool, tuple[ModuleFile, ...]]:
        """Whether a module's own text speaks of refs, else which modules it imports."""
        if source.path not in self._read:
            imported: list[ModuleFile] = []
            readable = self._resolver.is_worth_reading(source)
            speaks = readable and speaks_of_refs(source.text)
            if readable and not speaks:
                imported = imported_by(self._resolver, source.text, source.path)
            self._read[source.path] = speaks, tuple(imported)
        return self._read[source.path]
