"""Folders of modules that a project's own configuration names, beyond `src` and the project itself."""

from __future__ import annotations

import os
from collections.abc import Iterator

from jaxref.resolve.files import is_folder, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LARGEST_CONFIGURATION = 1024 * 1024


def configured_roots(project: str) -> tuple[str, ...]:
    """Existing folders that `pyproject.toml` in the folder `project` names as roots of modules.

    Asked are the build settings of setuptools, hatch, poetry and pdm, and the search paths given to
    pytest, pyright, basedpyright and mypy. A file that is broken or odd names none.
    """
    found = read_bytes(os.path.join(project, "pyproject.toml"), _LARGEST_CONFIGURATION)
    if found is None:
        return ()
    import tomllib

    try:
        tool = _at(tomllib.loads(found[0].decode("utf-8")), "tool")
    except (ValueError, RecursionError):
        return ()
    roots: dict[str, None] = {}
    for name in _named(tool):
        folder = os.path.normpath(os.path.join(project, name)) if "\0" not in name else project
        if folder != os.path.normpath(project) and is_folder(folder):
            roots.setdefault(folder)
    return tuple(roots)


def _named(tool: Any) -> Iterator[str]:
    setuptools = _at(tool, "setuptools")
    yield from _texts(_at(setuptools, "packages", "find", "where"))
    yield from _texts(_at(setuptools, "package-dir", ""))
    targets = _at(tool, "hatch", "build", "targets")
    for packages in (_at(targets, "wheel", "packages"), _at(tool, "hatch", "build", "packages")):
        for package in _texts(packages):
            yield os.path.dirname(package.rstrip("/"))
    packages = _at(tool, "poetry", "packages")
    for package in packages if isinstance(packages, list) else ():
        yield from _texts(_at(package, "from"))
    yield from _texts(_at(tool, "pdm", "build", "package-dir"))
    yield from _texts(_at(tool, "pytest", "ini_options", "pythonpath"))
    for checker in ("pyright", "basedpyright"):
        yield from _texts(_at(tool, checker, "extraPaths"))
    for paths in _texts(_at(tool, "mypy", "mypy_path")):
        yield from paths.replace("$MYPY_CONFIG_FILE_DIR/", "").replace(",", ":").split(":")


def _at(table: Any, *keys: str) -> Any:
    """What stands under `keys`; None where the way does not lead through tables."""
    for key in keys:
        if not isinstance(table, dict):
            return None
        table = table.get(key)
    return table


def _texts(value: Any) -> Iterator[str]:
    """`value` where it is a text, its items that are where it is a list."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            yield item
