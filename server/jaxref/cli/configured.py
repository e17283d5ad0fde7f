"""`--config KEY=VALUE`: one setting on the command line, as a line of a settings file has it.

Around a lone string the quotes may be left out, and a list of names may be written with commas.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping

from jaxref.settings import load_settings

_SETTING = re.compile(r"\s*(?P<key>[\w.\-\"'*/ ]+?)\s*=\s*(?P<value>.*?)\s*", re.DOTALL)
_LISTS = ("select", "extend-select", "ignore", "extend-ignore", "exclude", "extend-exclude")


def setting(written: str) -> dict[str, object]:
    """The table that `written` makes. Raises `ValueError` saying in one line what is wrong."""
    parts = _SETTING.fullmatch(written)
    if parts is None:
        raise ValueError(f"no such file, and not KEY=VALUE: {written}")
    table = _table(parts["key"], parts["value"])
    for name in _LISTS:
        value = table.get(name)
        if isinstance(value, str):
            table[name] = [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(table.get("jax-version"), int | float):
        table["jax-version"] = parts["value"]
    if isinstance(python := table.get("python"), str):
        table["python"] = environment_at(python)
    _, problems = load_settings(os.getcwd(), table, isolated=True)
    if problems:
        raise ValueError(problems[0].message)
    return table


def _table(key: str, value: str) -> dict[str, object]:
    try:
        return tomllib.loads(f"{key} = {value}\n")
    except (ValueError, RecursionError):
        quoted = json.dumps(value, ensure_ascii=False)
    try:
        return tomllib.loads(f"{key} = {quoted}\n")
    except ValueError:
        raise ValueError(f"`{key}` is not a key of the settings") from None


def joined(first: Mapping[str, object], second: Mapping[str, object]) -> dict[str, object]:
    """`first` with what `second` says; tables in both are joined in the same way."""
    made = dict(first)
    for key, value in second.items():
        there = made.get(key)
        both = isinstance(there, Mapping) and isinstance(value, Mapping)
        made[key] = joined(there, value) if both else value  # type: ignore[arg-type]
    return made


def environment_at(given: str) -> str:
    """The environment given on the command line: a path that exists counts from the current folder."""
    expanded = os.path.expanduser(given)
    return os.path.abspath(expanded) if os.path.exists(expanded) else expanded
