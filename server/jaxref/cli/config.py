"""`jaxref config`: the settings that hold for a path."""

from __future__ import annotations

import argparse
import json
import os

from jaxref.cli.choices import Choices, complain


def config(options: argparse.Namespace) -> int:
    """Print the effective settings as TOML or JSON. Returns the exit code."""
    path = os.path.abspath(options.path)
    if not os.path.exists(path):
        complain(f"error: {options.path}: no such file or folder")
        return 2
    if options.config is not None and not os.path.isfile(options.config):
        complain(f"error: --config: no such file: {options.config}")
        return 2
    choices = Choices({}, options.config)
    settings = choices.of_folder(path) if os.path.isdir(path) else choices.of_file(path)
    version = settings.jax_version
    values: dict[str, object] = {
        "select": None if settings.select is None else list(settings.select),
        "ignore": list(settings.ignore),
        "severity": dict(settings.severity),
        "exclude": list(settings.exclude),
        "jax-version": None if version is None else ".".join(map(str, version)),
        "python": settings.python,
        "hints": settings.hints,
    }
    if options.output_format == "json":
        print(json.dumps({"source": settings.source, "settings": values}, indent=2))
        return 2 if choices.failed else 0
    print(f"# from {settings.source}" if settings.source else "# no settings file, all defaults")
    for key, value in values.items():
        if isinstance(value, dict):
            inner = ", ".join(f"{name} = {json.dumps(level)}" for name, level in value.items())
            print(f"{key} = {{{f' {inner} ' if inner else ''}}}")
        elif value is None:
            default = {"select": "all rules", "jax-version": "as installed", "python": "as found"}
            print(f"# {key}: {default[key]}")
        else:
            print(f"{key} = {json.dumps(value)}")
    return 2 if choices.failed else 0
