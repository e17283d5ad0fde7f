"""What the interpreter asks about names that its own file does not explain."""

from __future__ import annotations

import ast
import os
import time
from collections.abc import Mapping

from jaxref.resolve.environment import (
    Environment,
    EnvironmentNotFound,
    find_environment,
    jax_version,
)
from jaxref.resolve.files import SourceCache
from jaxref.resolve.modules import ModuleFile, ModuleFinder
from jaxref.settings import Settings
from jaxref.source.parsing import parse

MODELLED = frozenset({"jax", "jaxlib", "numpy", "scipy"})
"""Packages whose modules are never read: what they do is described, or of no consequence."""

_ENVIRONMENT_SECONDS = 5.0
_KEPT_TREES = 256

_sources = SourceCache()
_environments: dict[tuple[str | None, ...], tuple[float, Environment | None, str | None]] = {}
_trees: dict[str, tuple[str, ast.Module]] = {}


class Resolver:
    """Names of other modules, for the analysis of the file at `path`.

    `overlay` maps absolute paths to the texts of open editors; they win over the disk.
    """

    def __init__(
        self, settings: Settings, *, path: str = "", overlay: Mapping[str, str] | None = None
    ) -> None:
        self.path = os.path.abspath(path) if path else os.path.join(os.getcwd(), "untitled.py")
        self.environment, self.problem = _environment_for(self.path, settings)
        """`problem` is one line on why the setting `python` could not be followed, or None."""
        self.jax_version = settings.jax_version or jax_version(self.environment)
        environment = self.environment
        self.finder = ModuleFinder(
            settings.roots,
            environment.site_packages if environment else (),
            environment.editable if environment else {},
            overlay,
            _sources,
        )

    def module(self, name: str, from_path: str, level: int = 0) -> ModuleFile | None:
        """The module that `name` with `level` leading dots means in the file `from_path`.

        None for the standard library, for JAX itself and for what has no source.
        """
        if level == 0 and name.partition(".")[0] in MODELLED:
            return None
        return self.finder.find(name, from_path, level)

    def parsed(self, module: ModuleFile) -> ast.Module | None:
        """The tree of a module worth evaluating; None for an installed one that never says `jax`.

        Trees are shared: nobody may change them.
        """
        if "jax" not in module.text and self._is_installed(module.path):
            return None
        kept = _trees.get(module.path)
        if kept is not None and kept[0] == module.text:
            return kept[1]
        tree = parse(module.text).tree
        while len(_trees) >= _KEPT_TREES:
            _trees.pop(next(iter(_trees)), None)
        _trees[module.path] = (module.text, tree)
        return tree

    @property
    def dependencies(self) -> frozenset[str]:
        """The paths whose texts the answers so far rest on."""
        return frozenset(self.finder.dependencies)

    @property
    def missing(self) -> frozenset[str]:
        """Paths in the project whose creation would change the answers so far."""
        return frozenset(self.finder.missing)

    def _is_installed(self, path: str) -> bool:
        folders = self.environment.site_packages if self.environment else ()
        return any(
            path.startswith(folder + os.sep) and os.path.basename(folder).endswith("-packages")
            for folder in folders
        )


def _environment_for(path: str, settings: Settings) -> tuple[Environment | None, str | None]:
    folder = settings.folder if settings.python and settings.folder else os.path.dirname(path)
    variables = (os.environ.get("VIRTUAL_ENV"), os.environ.get("CONDA_PREFIX"))
    key = (folder, settings.python, *variables)
    now = time.monotonic()
    kept = _environments.get(key)
    if kept is not None and now - kept[0] < _ENVIRONMENT_SECONDS:
        return kept[1], kept[2]
    environment, problem = None, None
    try:
        environment = find_environment(folder, settings.python)
    except EnvironmentNotFound as error:
        problem = str(error)
    if len(_environments) > 64:
        _environments.clear()
    _environments[key] = (now, environment, problem)
    return environment, problem
