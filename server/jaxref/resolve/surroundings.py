"""What answers about other modules rest on beside the texts of files: the environment and the roots."""

from __future__ import annotations

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
from jaxref.resolve.modules import ModuleFinder
from jaxref.settings import Settings, SettingsProblem, keys_in, place_in_file

_ENVIRONMENT_SECONDS = 5.0

_sources = SourceCache()
_environments: dict[tuple[str | None, ...], tuple[float, Environment | None, str | None]] = {}


class Surroundings:
    """Where the modules that the file at the absolute `path` imports are looked up.

    `overlay` maps absolute paths to the texts of open editors; they win over the disk.
    """

    def __init__(
        self, path: str, settings: Settings, overlay: Mapping[str, str] | None = None
    ) -> None:
        self.environment, self.problem = environment_for(path, settings)
        """`problem` is one line on why the setting `python` could not be followed, or None."""
        self.jax_version = settings.jax_version or jax_version(self.environment)
        base = settings.folder or os.path.dirname(path)
        self.roots = tuple(os.path.normpath(os.path.join(base, root)) for root in settings.roots)
        environment = self.environment
        self.finder = ModuleFinder(
            self.roots,
            environment.site_packages if environment else (),
            environment.editable if environment else {},
            overlay,
            _sources,
        )
        self._path = path

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal while answers can change with the texts of files alone: the environment with the
        times at which packages came or went, and where the project's modules are looked up."""
        environment = self.environment
        packages: tuple[object, ...] = ()
        if environment is not None:
            stamps = [(folder, _changed(folder)) for folder in environment.site_packages]
            packages = (environment.prefix, *stamps, *sorted(environment.editable.items()))
        inferred = self.finder.inferred_roots(self._path)
        return (self.jax_version, self.roots, inferred, packages)


def _changed(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def forget_environments() -> None:
    """Look environments up anew: one has come, gone, or changed its packages."""
    _environments.clear()


def environment_for(path: str, settings: Settings) -> tuple[Environment | None, str | None]:
    """The environment of the file `path`, and in one line why `python` could not be followed.

    What was found is kept for a few seconds.
    """
    folder = settings.folder if settings.python and settings.folder else os.path.dirname(path)
    variables = (os.environ.get("VIRTUAL_ENV"), os.environ.get("CONDA_PREFIX"))
    key = (folder, settings.python, settings.environment, *variables)
    now = time.monotonic()
    kept = _environments.get(key)
    if kept is not None and now - kept[0] < _ENVIRONMENT_SECONDS:
        return kept[1], kept[2]
    environment, problem = None, None
    try:
        environment = find_environment(folder, settings.python, chosen=settings.environment)
    except EnvironmentNotFound as error:
        problem = str(error)
    if len(_environments) > 64:
        _environments.clear()
    _environments[key] = (now, environment, problem)
    return environment, problem


def environment_problem(
    path: str, settings: Settings, overrides: Mapping[str, object]
) -> SettingsProblem | None:
    """What is wrong where the setting `python` leads to no environment, at its place in the settings
    file unless `overrides`, which won over that file, say it."""
    problem = None if settings.python is None else environment_for(path, settings)[1]
    if problem is None:
        return None
    source = settings.source
    if source is None or "python" in overrides or "python" not in keys_in(source):
        return SettingsProblem(None, 1, 1, problem)
    return SettingsProblem(source, *place_in_file(source, "python"), problem)
