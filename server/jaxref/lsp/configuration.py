"""Settings as they hold for each module: the client's over those of the nearest settings file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from lsprotocol import types

from jaxref.lsp.uris import path_of
from jaxref.settings import (
    KEYS,
    Settings,
    SettingsProblem,
    load_settings,
    matches,
    nearest_settings_file,
)

SECTION = "jaxref"

_EXTENDING = {"exclude": "extend-exclude"}
"""Settings of the client that add to those of the project instead of taking their place."""

_OF_THE_EDITOR = frozenset(
    {
        "enable",
        "interpreter",
        "import-strategy",
        "path",
        "log-level",
        "log-file",
        "trace",
        "inlay-hints",
    }
)
"""Settings of the client that concern how the server is run and what is shown."""

_UNSET: tuple[object, ...] = (None, "", [], {}, "auto")
"""Editors send the default of a setting that nobody has set; these defaults set nothing."""


class Configuration:
    """What the client has said, by workspace folder, and the settings that follow from it.

    A client pulls by answering `workspace/configuration`, or pushes with `didChangeConfiguration`;
    what it gave at `initialize` holds until then. `report` is told what was wrong in a settings
    file, or in the client's settings where the file is None, whenever settings are read.
    """

    def __init__(
        self,
        report: Callable[[str | None, Sequence[SettingsProblem]], None],
        known_rules: Callable[[], Collection[str]],
    ) -> None:
        self.folders: list[types.WorkspaceFolder] = []
        self._report = report
        self._known_rules = known_rules
        self._general: Mapping[str, Any] = {}
        self._by_folder: dict[str | None, Mapping[str, Any]] = {}
        self._read: dict[str, Settings] = {}

    def scopes(self) -> list[str | None]:
        """What to ask the client for: each folder by its URI, and None for what lies in none."""
        return [None, *(folder.uri for folder in self.folders)]

    def pulled(self, scopes: Sequence[str | None], answers: Sequence[Any]) -> None:
        """Take in the client's answer to `workspace/configuration` for these scopes."""
        self._by_folder = {
            scope: answer
            for scope, answer in zip(scopes, answers, strict=False)
            if isinstance(answer, Mapping)
        }

    def pushed(self, settings: Any) -> None:
        """Take in what came with `didChangeConfiguration` or `initialize`.

        The section may be given as it is, under its name, or under `settings`.
        """
        for name in ("settings", SECTION):
            if isinstance(settings, Mapping) and isinstance(settings.get(name), Mapping):
                settings = settings[name]
        if isinstance(settings, Mapping):
            self._general = settings

    def reread(self) -> None:
        """Work settings out anew when they are next asked for.

        Until then what was pulled or pushed changes nothing.
        """
        self._read.clear()

    def known(self, path: str) -> Settings | None:
        """The settings of a module as they were last read."""
        return self._read.get(path)

    def settings_of(self, path: str) -> Settings:
        """The settings of a module; those of the first folder for one that is not a file."""
        settings = self._read.get(path)
        if settings is None:
            section = self._section(path)
            place, overrides = self._place_of(path), _overrides(section)
            # Where nothing is set the rule book need not be read.
            anything_set = overrides or nearest_settings_file(place)
            settings, problems = load_settings(
                place, overrides, known_rules=self._known_rules() if anything_set else ()
            )
            own = [problem for problem in problems if problem.path is None]
            self._report(settings.source, [one for one in problems if one.path is not None])
            if own:
                self._report(None, own)
            self._read[path] = settings
        return settings

    def excludes(self, path: str) -> bool:
        """Whether the settings say that nothing is to be reported of the file `path`."""
        settings = self.settings_of(path)
        folder = settings.folder
        if folder is None:
            holder = self.folder_of(path)
            folder = path_of(holder.uri) if holder is not None else None
        return folder is not None and matches(settings.exclude, self._place_of(path), folder)

    def editor_value(self, path: str, name: str, default: bool) -> bool:
        """A switch of the client that concerns the editor alone, such as `hover.enable`."""
        value: Any = self._section(path)
        if name in value:
            value = value[name]
        else:
            for step in name.split("."):
                value = value.get(step) if isinstance(value, Mapping) else None
        return value if isinstance(value, bool) else default

    def folder_of(self, path: str) -> types.WorkspaceFolder | None:
        """The innermost workspace folder that holds `path`."""
        holding = [
            (len(root), folder)
            for folder in self.folders
            if (root := path_of(folder.uri)) is not None
            and (path == root or path.startswith(root.rstrip("/\\") + os.sep))
        ]
        return max(holding, key=lambda one: one[0])[1] if holding else None

    def _place_of(self, path: str) -> str:
        if os.path.isabs(path) or not self.folders:
            return path
        return os.path.join(path_of(self.folders[0].uri) or "", "untitled.py")

    def _section(self, path: str) -> Mapping[str, Any]:
        folder = self.folder_of(self._place_of(path))
        pulled = self._by_folder.get(folder.uri if folder is not None else None)
        return self._general if pulled is None else {**self._general, **pulled}


def _overrides(section: Mapping[str, Any]) -> dict[str, object]:
    """The client's settings by the names they have in settings files, without the editor's own."""
    overrides: dict[str, object] = {}
    for name, value in section.items():
        key = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
        key = _EXTENDING.get(key, key)
        by_default = value in _UNSET or (key == "hints" and value is True)
        of_the_editor = key.split(".")[0] in _OF_THE_EDITOR
        nested = key not in KEYS and isinstance(value, Mapping)
        if not (of_the_editor or nested or by_default):
            # What is not known is passed on, so that it is said which setting was meant.
            overrides[key] = value
    return overrides
