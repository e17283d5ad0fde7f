"""`jaxref config`: the settings that hold for a path, and where each comes from."""

from __future__ import annotations

import argparse
import json
import os

from jaxref.cli.choices import Choices, complain, overrides_of
from jaxref.settings import DEFAULT_EXCLUDE, Settings, keys_in


def config(options: argparse.Namespace) -> int:
    """Print the effective settings as TOML or JSON. Returns the exit code."""
    path = os.path.abspath(options.path)
    if not os.path.exists(path):
        complain(f"error: {options.path}: no such file or folder")
        return 2
    choices = Choices(overrides_of(options), options.config, options.isolated)
    print(shown_settings(path, choices, options.output_format == "json"))
    return 2 if choices.failed else 0


def shown_settings(path: str, choices: Choices, as_json: bool = False) -> str:
    """The settings for the file or folder at the absolute `path`, as TOML or JSON."""
    settings = choices.of_folder(path) if os.path.isdir(path) else choices.of_file(path)
    values = _values(settings)
    origins = _origins(settings, choices)
    surroundings = _surroundings(path, settings)
    if as_json:
        record = {"source": settings.source, "settings": values, "origins": origins}
        return json.dumps(record | surroundings, indent=2)
    lines = [f"# settings for {path}"]
    lines += [f"# from {settings.source}"] if settings.source else ["# no settings file"]
    for key, value in values.items():
        origin = f"  # {origins[key]}" if origins[key] != settings.source else ""
        if isinstance(value, dict):
            inner = ", ".join(f"{name} = {json.dumps(level)}" for name, level in value.items())
            lines.append(f"{key} = {{{f' {inner} ' if inner else ''}}}{origin}")
        elif value is None:
            unset = {
                "select": "the rules that run by default",
                "jax-version": f"as installed ({surroundings['jax-version'] or 'not found'})",
                "python": f"as found ({surroundings['environment'] or 'nothing'})",
            }
            lines.append(f"# {key}: {unset[key]}")
        else:
            lines.append(f"{key} = {json.dumps(value)}{origin}")
    return "\n".join(lines)


def _values(settings: Settings) -> dict[str, object]:
    version = settings.jax_version
    return {
        "select": None if settings.select is None else list(settings.select),
        "ignore": list(settings.ignore),
        "severity": dict(settings.severity),
        "exclude": list(settings.exclude),
        "jax-version": None if version is None else ".".join(map(str, version)),
        "python": settings.python,
        "hints": settings.hints,
    }


def _surroundings(path: str, settings: Settings) -> dict[str, str | None]:
    """The environment whose packages are read, what led there, and the version of JAX in it."""
    from jaxref.resolve.environment import jax_version
    from jaxref.resolve.surroundings import environment_for

    inside = os.path.join(path, "") if os.path.isdir(path) else path
    environment, _ = environment_for(inside, settings)
    version = jax_version(environment)
    return {
        "environment": None if environment is None else environment.prefix,
        "environment-from": None if environment is None else environment.origin,
        "jax-version": None if version is None else ".".join(map(str, version)),
    }


_MADE_OF: dict[str, tuple[str, ...]] = {
    "select": ("select", "extend-select"),
    "ignore": ("ignore", "extend-ignore", "per-file-ignores", "severity"),
    "exclude": ("exclude", "extend-exclude"),
}
"""The keys that have a part in a setting, where it is not its own alone."""


def _origins(settings: Settings, choices: Choices) -> dict[str, str]:
    """For each setting what said it last: `command line`, the settings file, or `default`."""
    in_file = keys_in(settings.source) if settings.source is not None else frozenset()
    origins: dict[str, str] = {}
    unset = _values(Settings(exclude=DEFAULT_EXCLUDE))
    for key, value in _values(settings).items():
        parts = _MADE_OF.get(key, (key,))
        if any(part in choices.overrides for part in parts):
            origins[key] = "command line"
        elif settings.source is not None and (
            any(part in in_file for part in parts)
            or ("overrides" in in_file and value != unset[key])
        ):
            origins[key] = settings.source
        else:
            origins[key] = "default"
    return origins
