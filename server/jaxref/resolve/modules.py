"""Where `import` leads: source files of the project and of its environment, found by name.

Nothing is imported and no finder of the running interpreter is asked; the file system is looked at
the way Python's path finder would. A name that Python would satisfy with a compiled module, a zip
archive or the standard library leads to None, and so does one that has stubs only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from jaxref.quick_dataclasses import dataclass
from jaxref.resolve.files import SourceCache, exists, is_folder, is_regular_file
from jaxref.resolve.roots import configured_roots

_PROJECT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg", "jaxref.toml")
_CASE_COUNTS = sys.platform not in {"win32", "darwin", "cygwin"}
_DEEPEST = 64

MAX_MODULES = 100
"""So many modules are looked into for what they import in turn."""


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """One module as it stands on disk or in an open editor.

    `path` is absolute: the `.py` file, `__init__.py` for a package, the first folder for a namespace
    package (whose text is empty). `folders` are those in which submodules are looked up; none for a
    plain module. `name` is the dotted name under which it was found.
    """

    path: str
    name: str
    text: str
    folders: tuple[str, ...] = ()

    @property
    def is_package(self) -> bool:
        """True for packages, namespace packages included."""
        return bool(self.folders)

    @property
    def is_namespace(self) -> bool:
        """True for a package without an `__init__.py`."""
        return bool(self.folders) and self.path == self.folders[0]


@dataclass(frozen=True, slots=True)
class Place:
    """A module that was located but not read; the fields are those of `ModuleFile`."""

    path: str
    folders: tuple[str, ...] = ()

    @property
    def is_namespace(self) -> bool:
        """True for a package without an `__init__.py`."""
        return bool(self.folders) and self.path == self.folders[0]


class ModuleFinder:
    """Finds modules by name under the project's roots, then in its environment.

    `roots` are searched first, then the roots inferred from the importing file (see
    `inferred_roots`), then `site_packages` and what `editable` maps. `overlay` maps absolute paths
    to the texts of open editors: these win over the disk and exist even where the disk has nothing.
    """

    def __init__(
        self,
        roots: Sequence[str] = (),
        site_packages: Sequence[str] = (),
        editable: Mapping[str, str] | None = None,
        overlay: Mapping[str, str] | None = None,
        sources: SourceCache | None = None,
    ) -> None:
        self._roots = tuple(os.path.abspath(root) for root in roots)
        self._site_packages = tuple(site_packages)
        self._editable = dict(editable or {})
        self._overlay = _with_parents(overlay or {})
        self._overlay_texts = dict(overlay or {})
        self._sources = SourceCache() if sources is None else sources
        self._inferred: dict[str, tuple[str, ...]] = {}
        self.dependencies: set[str] = set()
        """Every path whose text was handed out."""
        self.missing: set[str] = set()
        """Paths in the project that did not exist and would have been taken if they had."""

    def find(self, name: str, from_path: str, level: int = 0) -> ModuleFile | None:
        """The module that `name` means in the file `from_path`; `level` counts the leading dots.

        With level 0 `name` is absolute. With a level it may be empty: then the package itself is
        meant. None where there is no source to read.
        """
        parts = tuple(part for part in name.split(".") if part)
        if len(parts) > _DEEPEST or not all(part.isidentifier() for part in parts):
            return None
        from_path = os.path.abspath(from_path)
        if level == 0:
            if not parts or parts[0] in sys.stdlib_module_names:
                return None
            place = self._absolute(parts, from_path)
            dotted = ".".join(parts)
        else:
            folder = os.path.dirname(from_path)
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            package = self._package_in(folder)
            if package is None:
                return None
            place = self._submodule(package, parts)
            dotted = ".".join((*self.package_name(folder), *parts))
        return None if place is None else self._read(place, dotted)

    def module_name(self, path: str) -> str:
        """The dotted name by which the project would import the file `path`."""
        folder, base = os.path.split(os.path.abspath(path))
        stem = base.removesuffix(".py").removesuffix(".pyi")
        parts = self.package_name(folder)
        return ".".join(parts if stem == "__init__" and parts else (*parts, stem))

    def package_name(self, folder: str) -> tuple[str, ...]:
        """The parts of the dotted name of the package in `folder`, () for no package.

        Folders without `__init__.py` belong to the name only between a root that was set and the
        folder, where they are namespace packages.
        """
        parts: list[str] = []
        while self._is_regular_package(folder) and len(parts) < _DEEPEST:
            folder, base = os.path.split(folder)
            if not base:
                break
            parts.insert(0, base)
        for root in self._roots:
            if folder != root and folder.startswith(root + os.sep):
                between = folder[len(root) + 1 :].split(os.sep)
                if all(part.isidentifier() for part in between):
                    return (*between, *parts)
        return tuple(parts)

    def inferred_roots(self, from_path: str) -> tuple[str, ...]:
        """Folders of the project in which the imports of the file `from_path` are looked up.

        The folder above the file's top-most package (its own folder when it is in none), then for
        the nearest folder with a project's mark, and for the repository around it, `src`, the
        folders that its configuration names, and the folder itself. What is found for a folder is
        not looked for again.
        """
        folder = os.path.dirname(os.path.abspath(from_path))
        known = self._inferred.get(folder)
        if known is None:
            known = self._inferred[folder] = self._roots_for(folder)
        return known

    def _roots_for(self, folder: str) -> tuple[str, ...]:
        for _ in range(_DEEPEST):
            if not self._is_regular_package(folder) or os.path.dirname(folder) == folder:
                break
            folder = os.path.dirname(folder)
        roots = {folder: None}
        nearest_found = False
        while True:
            is_repository = exists(os.path.join(folder, ".git"))
            is_project = is_repository or any(
                exists(os.path.join(folder, mark)) for mark in _PROJECT_MARKS
            )
            if is_repository or (is_project and not nearest_found):
                nearest_found = True
                source_folder = os.path.join(folder, "src")
                if self._folder_exists(source_folder):
                    roots.setdefault(source_folder)
                for named in configured_roots(folder):
                    roots.setdefault(named)
                roots.setdefault(folder)
            parent = os.path.dirname(folder)
            if is_repository or parent == folder:
                return tuple(roots)
            folder = parent

    def _absolute(self, parts: tuple[str, ...], from_path: str) -> Place | None:
        project = tuple(dict.fromkeys((*self._roots, *self.inferred_roots(from_path))))
        place = self.locate(project, parts[0], note_missing=True)
        if place is None or place.is_namespace:
            installed = self.installed(parts[0])
            if installed is not None and (place is None or not installed.is_namespace):
                place = installed
            elif installed is not None and place is not None:
                folders = tuple(dict.fromkeys(place.folders + installed.folders))
                place = Place(place.path, folders)
        if place is None:
            # A script inside a package folder still sees its neighbours when it is run by path.
            place = self.locate((os.path.dirname(from_path),), parts[0], note_missing=True)
        return None if place is None else self._submodule(place, parts[1:])

    def installed(self, name: str) -> Place | None:
        """The top-level module `name` of the environment."""
        mapped = self._editable.get(name)
        if mapped is not None:
            found = self._package_in(mapped) if self._folder_exists(mapped) else None
            if found is not None:
                return found
            if mapped.endswith(".py") and self._file_exists(mapped):
                return Place(mapped)
        return self.locate(self._site_packages, name, note_missing=False)

    def _submodule(self, place: Place, parts: tuple[str, ...]) -> Place | None:
        for part in parts:
            found = self.locate(place.folders, part, note_missing=True)
            if found is None:
                return None
            place = found
        return place

    def locate(
        self, folders: Sequence[str], name: str, *, note_missing: bool = False
    ) -> Place | None:
        """The module called `name` in the first of `folders` that has one, as Python orders them.

        Portions of a namespace package are gathered from all of them.
        """
        from importlib.machinery import EXTENSION_SUFFIXES

        portions: list[str] = []
        for folder in folders:
            base = os.path.join(folder, name)
            package = os.path.join(base, "__init__.py")
            if self._file_exists(package) and self._spelt_so(folder, name):
                return Place(package, (base,))
            if any(is_regular_file(base + suffix) for suffix in EXTENSION_SUFFIXES):
                return None
            module = base + ".py"
            if self._file_exists(module) and self._spelt_so(folder, name + ".py"):
                return Place(module)
            if note_missing:
                self.missing.update((package, module))
            if self._folder_exists(base) and self._spelt_so(folder, name):
                if is_regular_file(os.path.join(base, "__init__.pyi")):
                    continue
                portions.append(base)
        return Place(portions[0], tuple(portions)) if portions else None

    def _package_in(self, folder: str) -> Place | None:
        if not self._folder_exists(folder):
            return None
        package = os.path.join(folder, "__init__.py")
        return Place(package if self._file_exists(package) else folder, (folder,))

    def _read(self, place: Place, dotted: str) -> ModuleFile | None:
        if place.is_namespace:
            return ModuleFile(place.path, dotted, "", place.folders)
        text = self.text(place.path)
        return None if text is None else ModuleFile(place.path, dotted, text, place.folders)

    def text(self, path: str) -> str | None:
        """The text of one file, an open editor's before the disk's; None when unreadable."""
        text = self._overlay_texts.get(path)
        if text is None:
            text = self._sources.text(path)
        if text is not None:
            self.dependencies.add(path)
        return text

    def _is_regular_package(self, folder: str) -> bool:
        return self._file_exists(os.path.join(folder, "__init__.py"))

    def _file_exists(self, path: str) -> bool:
        return path in self._overlay_texts or is_regular_file(path)

    def _folder_exists(self, path: str) -> bool:
        return path in self._overlay or is_folder(path)

    def _spelt_so(self, folder: str, name: str) -> bool:
        """False where only a file system that ignores case makes `name` exist."""
        if _CASE_COUNTS or os.path.join(folder, name) in self._overlay:
            return True
        try:
            return name in os.listdir(folder)
        except OSError:
            return False


def _with_parents(overlay: Mapping[str, str]) -> frozenset[str]:
    """The paths of open editors and every folder above them."""
    paths: set[str] = set()
    for opened in overlay:
        path = opened
        while path not in paths and os.path.isabs(path):
            paths.add(path)
            path = os.path.dirname(path)
    return frozenset(paths)


def submodule_names(folder: str) -> list[str]:
    """What could be imported from a package's folder, sorted; [] where it cannot be listed."""
    names: set[str] = set()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                stem, suffix = os.path.splitext(entry.name)
                is_module = suffix in {".py", ".pyi"} and stem != "__init__"
                if stem.isidentifier() and (is_module or (not suffix and is_folder(entry.path))):
                    names.add(stem)
    except (OSError, ValueError):
        return []
    names.discard("__pycache__")
    return sorted(names)
