"""The client's settings taken apart: what the editor does, and what overrides settings files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from jaxref.quick_dataclasses import dataclass, field, replace
from jaxref.settings import KEYS

DiagnosticMode = Literal["openFilesOnly", "workspace", "off"]
Preference = Literal["editorFirst", "filesystemFirst", "editorOnly"]


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """What concerns the editor alone, for one file."""

    diagnostic_mode: DiagnosticMode = "openFilesOnly"
    configuration: str | None = None
    """A settings file to take instead of the nearest one."""
    preference: Preference = "editorFirst"
    environment: str | None = None
    """The interpreter that was chosen in the editor; a setting `python` wins over it."""
    hover: bool = True
    fix_all: bool = True
    silencing: bool = True
    unavailable_fixes: bool = True
    entry_names: bool = True
    vjp_state: bool = True
    types: bool = False


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """One section of the client's settings. `problems` are lines for the user."""

    editor: EditorSettings = EditorSettings()
    overrides: Mapping[str, object] = field(default_factory=dict)
    """By the names that settings have in files."""
    problems: tuple[str, ...] = ()


def client_settings(section: Mapping[str, Any]) -> ClientSettings:
    """What a section says; names may be in camelCase or kebab-case, nested or with dots.

    What is not known is left in `overrides`, so that it is said which setting was meant.
    """
    editor = EditorSettings()
    inline: dict[str, object] = {}
    direct: dict[str, object] = {}
    problems: list[str] = []
    for key, value in _flat(section):
        if _is_unset(key, value) or key in _OF_THE_LAUNCH:
            continue
        if key == "configuration" and isinstance(value, Mapping):
            inline.update((_kebab(name), one) for name, one in value.items())
        elif key in _EDITOR:
            name, expected = _EDITOR[key]
            problem = expected(value)
            if problem is None:
                editor = replace(editor, **{name: value})
            else:
                problems.append(f"{_camel(key)} must be {problem}, not {_shown(value)}")
        elif key.partition(".")[0] in _GROUPS:
            from difflib import get_close_matches

            near = get_close_matches(key, _EDITOR, 1, 0.6)
            meant = f"; did you mean `{_camel(near[0])}`?" if near else ""
            problems.append(f"unknown setting `{_camel(key)}`{meant}")
        elif key in KEYS or not isinstance(value, Mapping):
            direct[_EXTENDING.get(key, key)] = value
    return ClientSettings(editor, {**inline, **direct}, tuple(problems))


_EXTENDING = {"exclude": "extend-exclude"}
"""Settings of the client that add to those of the project instead of taking their place."""

_OF_THE_LAUNCH = frozenset(
    {
        "enable",
        "interpreter",
        "import-strategy",
        "path",
        "log-level",
        "log-file",
        "trace.server",
    }
)
"""Settings of the client that concern how the server is started."""

_UNSET: tuple[object, ...] = (None, "", [], {}, "auto")
"""Editors send the default of a setting that nobody has set; these defaults set nothing."""


def _is_unset(key: str, value: object) -> bool:
    return value in _UNSET or (key == "hints" and value is True)


def _boolean(value: object) -> str | None:
    return None if isinstance(value, bool) else "true or false"


def _string(value: object) -> str | None:
    return None if isinstance(value, str) else "a string"


def _path_or_table(value: object) -> str | None:
    return None if isinstance(value, str) else "the path of a settings file or a table of settings"


def _one_of(*choices: str) -> Callable[[object], str | None]:
    return lambda value: None if value in choices else f"one of {', '.join(choices)}"


_EDITOR: Mapping[str, tuple[str, Callable[[object], str | None]]] = {
    "diagnostic-mode": ("diagnostic_mode", _one_of("openFilesOnly", "workspace", "off")),
    "configuration": ("configuration", _path_or_table),
    "configuration-preference": (
        "preference",
        _one_of("editorFirst", "filesystemFirst", "editorOnly"),
    ),
    "environment": ("environment", _string),
    "hover.enable": ("hover", _boolean),
    "fix-all": ("fix_all", _boolean),
    "code-action.disable-rule-comment.enable": ("silencing", _boolean),
    "code-action.show-unavailable-fixes": ("unavailable_fixes", _boolean),
    "inlay-hints.entry-names": ("entry_names", _boolean),
    "inlay-hints.vjp-state": ("vjp_state", _boolean),
    "inlay-hints.types": ("types", _boolean),
}
"""For each setting of the editor the field it sets, and what says what it must be."""

_GROUPS = frozenset(key.partition(".")[0] for key in _EDITOR if "." in key) | {"trace"}


def _flat(section: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The settings by their dotted names in kebab-case; only groups of settings are taken apart."""
    for name, value in section.items():
        key = f"{before}{_kebab(str(name))}"
        if isinstance(value, Mapping) and key.partition(".")[0] in _GROUPS:
            yield from _flat(value, f"{key}.")
        else:
            yield key, value


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _camel(key: str) -> str:
    return re.sub(r"-([a-z])", lambda found: found[1].upper(), key)


def _shown(value: object) -> str:
    return f"`{value}`" if isinstance(value, str) else f"`{value!r}`"
