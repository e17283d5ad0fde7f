"""Modules that are imported when something that they state is asked for.

`index` says what each module of some packages states. It is generated (`tools/index.py`); where a
package has other files than those it was generated from, all its modules are imported instead, so
that what was written a moment ago counts.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Collection, Iterator, Mapping
from functools import cache

from jaxref import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import TypeVar

    V = TypeVar("V")


@cache
def is_current(package: str) -> bool:
    """Whether the index was generated from the files that a package has."""
    try:
        return sizes(package) == index.SIZES.get(package)
    except OSError:
        return False


def sizes(package: str) -> dict[str, int]:
    """The sizes of the source files of a package; what is edited by hand changes them."""
    with os.scandir(_folder(package)) as entries:
        return {one.name: one.stat().st_size for one in entries if one.name.endswith(".py")}


def all_modules(package: str) -> list[ModuleType]:
    """All modules of a package, sorted by name."""
    import pkgutil

    names = sorted(found.name for found in pkgutil.iter_modules([_folder(package)]))
    return [importlib.import_module(f"{package}.{name}") for name in names]


def modules_with(package: str, table: str, names: Collection[str]) -> list[ModuleType]:
    """The modules of `package` that may state one of `names`, sorted by name.

    `table` is the one of the index that says so.
    """
    if not is_current(package):
        return all_modules(package)
    stated = _modules_by_name(table)
    found = {module for name in names for module in stated.get(name, ())}
    return [importlib.import_module(f"{package}.{module}") for module in sorted(found)]


def names_in(package: str, table: str) -> frozenset[str] | None:
    """All names in a table of the index; None where it is not that of the package as it is."""
    return frozenset(_modules_by_name(table)) if is_current(package) else None


class Table(Mapping[str, "V"]):
    """Entries by name, made by the modules of a package when they are imported.

    `name` is that of the table of the index that says by which.
    """

    def __init__(self, package: str, name: str) -> None:
        self.name = name
        self._package = package
        self._entries: dict[str, V] = {}

    def __setitem__(self, name: str, entry: V) -> None:
        self._entries[name] = entry

    def __getitem__(self, name: str) -> V:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        """All names, for which all modules are imported."""
        all_modules(self._package)
        return iter(self._entries)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, name: str) -> V | None:  # type: ignore[override]
        """The entry of this name, if there is one."""
        found = self._entries.get(name)
        if found is None:
            if is_current(self._package) and name not in _modules_by_name(self.name):
                # As most names: nothing is known of them.
                return None
            modules_with(self._package, self.name, (name,))
            found = self._entries.get(name)
        return found


@cache
def _modules_by_name(table: str) -> dict[str, list[str]]:
    stated: dict[str, str] = getattr(index, table)
    found: dict[str, list[str]] = {}
    for module, names in stated.items():
        for name in names.split():
            found.setdefault(name, []).append(module)
    return found


def _folder(package: str) -> str:
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(here, *package.split(".")[1:])
