"""Settings as they hold for each module: the client's and those of the nearest settings file."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from lsprotocol import types

from jaxref.lsp.client_settings import ClientSettings, EditorSettings, client_settings
from jaxref.lsp.uris import path_of
from jaxref.quick_dataclasses import dataclass, replace
from jaxref.settings import (
    Settings,
    SettingsProblem,
    load_settings,
    matches,
    nearest_settings_file,
)

SECTION = "jaxref"


@dataclass(frozen=True, slots=True)
class Held:
    """What holds for one file."""

    settings: Settings
    editor: EditorSettings


class Reading:
    """Settings as they were at one time; may be asked on any thread.

    `problems` has what was wrong by the settings file that was read, or None for the client's.
    """

    def __init__(
        self,
        folders: Sequence[types.WorkspaceFolder],
        sections: Mapping[str | None, Mapping[str, Any]],
        general: Mapping[str, Any],
        known_rules: Callable[[], Collection[str]],
    ) -> None:
        self._folders = tuple(folders)
        self._general = client_settings(general)
        self._by_folder = {
            scope: client_settings({**general, **section}) for scope, section in sections.items()
        }
        self._known_rules = known_rules
        self._held: dict[str, Held] = {}
        self.problems: dict[str | None, tuple[SettingsProblem, ...]] = {}

    def known(self, path: str) -> Held | None:
        """What holds for a module, where that was asked before."""
        return self._held.get(path)

    def of(self, path: str) -> Held:
        """What holds for a module: of the first folder for one that is not a file."""
        held = self._held.get(path)
        if held is None:
            place = self.place_of(path)
            held = self.of_folder(os.path.dirname(place))
            if held.settings.per_file:
                held = self._read(place)
            self._held[path] = held
        return held

    def of_folder(self, folder: str) -> Held:
        """What holds in a folder, without what is set for single files."""
        held = self._held.get(folder)
        if held is None:
            held = self._held[folder] = self._read(folder)
        return held

    def excludes(self, path: str) -> bool:
        """Whether the settings say that nothing is to be reported of the file `path`."""
        held = self.of(path)
        if held.editor.diagnostic_mode == "off":
            return True
        folder = held.settings.folder
        if folder is None:
            holder = self.folder_of(path)
            folder = path_of(holder.uri) if holder is not None else None
        place = self.place_of(path)
        return folder is not None and matches(held.settings.exclude, place, folder)

    def folder_of(self, path: str) -> types.WorkspaceFolder | None:
        """The innermost workspace folder that holds `path`."""
        holding = [
            (len(root), folder)
            for folder in self._folders
            if (root := path_of(folder.uri)) is not None
            and (path == root or path.startswith(root.rstrip("/\\") + os.sep))
        ]
        return max(holding, key=lambda one: one[0])[1] if holding else None

    def place_of(self, path: str) -> str:
        """The path by which settings are looked up."""
        if os.path.isabs(path) or not self._folders:
            return path
        return os.path.join(path_of(self._folders[0].uri) or "", "untitled.py")

    def _section(self, place: str) -> ClientSettings:
        folder = self.folder_of(place)
        return self._by_folder.get(folder.uri if folder is not None else None, self._general)

    def _read(self, place: str) -> Held:
        section = self._section(place)
        editor, overrides = section.editor, section.overrides
        own = [SettingsProblem(None, 1, 1, line) for line in section.problems]
        config = self._config(place, editor)
        if config is not None and not os.path.isfile(config):
            own.append(SettingsProblem(None, 1, 1, f"configuration: no such file: {config}"))
            config = None
        found = nearest_settings_file(place)
        preferred = editor.preference == "filesystemFirst" and found is not None
        isolated = editor.preference == "editorOnly" and config is None
        # Where nothing is set the rule book need not be read.
        anything_set = overrides or config or found
        settings, problems = load_settings(
            place,
            {} if preferred else overrides,
            config=None if preferred else config,
            isolated=isolated,
            defaults=overrides if preferred else {},
            known_rules=self._known_rules() if anything_set else (),
        )
        if editor.environment is not None:
            settings = replace(settings, environment=editor.environment)
        from jaxref.resolve.surroundings import environment_problem

        lost = environment_problem(place, settings, overrides)
        problems = problems if lost is None else (*problems, lost)
        in_file = tuple(one for one in problems if one.path is not None)
        if settings.source is not None:
            self.problems[settings.source] = in_file
        own += [one for one in problems if one.path is None]
        self.problems[None] = tuple(dict.fromkeys((*self.problems.get(None, ()), *own)))
        return Held(settings, editor)

    def _config(self, place: str, editor: EditorSettings) -> str | None:
        if editor.configuration is None:
            return None
        folder = self.folder_of(place)
        base = path_of(folder.uri) if folder is not None else None
        return os.path.join(base or os.getcwd(), os.path.expanduser(editor.configuration))


class Configuration:
    """What the client has said, by workspace folder, and the settings that follow from it.

    A client pulls by answering `workspace/configuration`, or pushes with `didChangeConfiguration`;
    what it gave at `initialize` holds until then. `report` is told what is wrong in a settings
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
        self._reading: Reading | None = None
        self._reported: dict[str | None, tuple[SettingsProblem, ...]] = {}

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
        self._reading = None
        self._reported.clear()

    @property
    def reading(self) -> Reading:
        """The settings as they are now."""
        if self._reading is None:
            self._reading = Reading(self.folders, self._by_folder, self._general, self._known_rules)
        return self._reading

    def known(self, path: str) -> Held | None:
        """What held for a module when settings were last read."""
        return None if self._reading is None else self._reading.known(path)

    def of(self, path: str) -> Held:
        """What holds for a module."""
        held = self.reading.of(path)
        self.tell_problems()
        return held

    def settings_of(self, path: str) -> Settings:
        """The settings of a module."""
        return self.of(path).settings

    def excludes(self, path: str) -> bool:
        """Whether the settings say that nothing is to be reported of the file `path`."""
        return self.reading.excludes(path)

    def rests_on(self, paths: frozenset[str]) -> bool:
        """Whether one of these files was read for settings."""
        return any(source in paths for source in self.reading.problems)

    def tell_problems(self) -> None:
        """Report what is wrong in the settings that were read, unless that was reported."""
        for source, problems in list(self.reading.problems.items()):
            if self._reported.get(source) != problems:
                self._reported[source] = problems
                self._report(source, problems)
