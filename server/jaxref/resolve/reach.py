"""Whether refs can come into a module from those that it imports: told from their texts alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxref.relevance import speaks_of_refs
from jaxref.resolve.modules import MAX_MODULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.resolve.modules import ModuleFile
    from jaxref.resolve.resolver import Resolver

_SPACE = r"(?:[ \t\f]|\\\r?\n)*"
_LISTED = r"\((?:[^)#]|#[^\n]*)*\)|(?:[^\n;\\]|\\\r?\n)*"
_IMPORT = re.compile(
    rf"{_SPACE}(?:from\b{_SPACE}((?:\.{_SPACE})*)([\w.]*){_SPACE}import\b{_SPACE}({_LISTED})"
    rf"|import\b({_LISTED}))"
)
_WANTED = re.compile(r"(?<!as )\b(?!as\b)[A-Za-z_]\w*")
_PLAIN = re.compile(r"(?:^|,)[\s\\]*([\w.]+)")


def imports_in(text: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """The modules that a text imports, read off its lines: name, leading dots, what of it.

    All that `ast` would find are among them, and what looks like it in strings.
    """
    at = text.find("import")
    while at >= 0:
        found = _IMPORT.match(text, _beginning(text, at))
        if found is not None:
            dots, name, wanted, plain = found.groups()
            if plain is not None:
                for one in _PLAIN.findall(plain):
                    yield one, 0, ()
            else:
                yield name or "", (dots or "").count("."), tuple(_WANTED.findall(wanted))
        at = text.find("import", max(at + 6, found.end() if found else 0))


def _beginning(text: str, at: int) -> int:
    """Where the statement begins that has `import` at this place."""
    start = text.rfind("\n", 0, at) + 1
    while start > 1 and text.endswith(("\\\n", "\\\r\n"), 0, start):
        start = text.rfind("\n", 0, start - 1) + 1
    return max(start, text.rfind(";", start, at) + 1, text.rfind(":", start, at) + 1)


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
