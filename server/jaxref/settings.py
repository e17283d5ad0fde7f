"""Settings: `[tool.jaxref]` in pyproject.toml, or jaxref.toml; the nearest one up the tree wins."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from jaxref.diagnostics.model import SEVERITIES, Severity
from jaxref.quick_dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Settings:
    """Effective settings for one file. Equal settings compare equal and hash alike."""

    select: tuple[str, ...] | None = None
    """The rules to run, None for those that run by default."""
    ignore: tuple[str, ...] = ()
    """Rules left out; those that `per-file-ignores` names for this file are among them."""
    severity: Mapping[str, Severity] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    """Patterns as in a .gitignore beside the settings file (`folder`)."""
    jax_version: tuple[int, ...] | None = None
    """None to take the version that the environment has."""
    python: str | None = None
    """An interpreter or environment; absolute when it was given as a path."""
    environment: str | None = None
    """What the editor has chosen: counts where `python` says nothing. No setting of a file."""
    hints: bool = True
    suppressions: bool = True
    """False to report what comments silence, too. No setting of a file."""
    roots: tuple[str, ...] = ()
    """Folders in which the project's own modules are looked up, before the environment."""
    source: str | None = None
    """The settings file that was read."""
    folder: str | None = None
    """The folder to which its patterns and paths are relative."""
    per_file: bool = False
    """True when other files of the same folder may have other settings."""

    def enabled(self, rule: str) -> bool:
        """True when findings of `rule` are wanted."""
        if rule in self.ignore:
            return False
        return self.select is None or rule in self.select or ALL_RULES in self.select

    def severity_of(self, rule: str, default: Severity) -> Severity:
        """The severity for findings of `rule` that would have `default`."""
        return self.severity.get(rule, default)

    def __hash__(self) -> int:
        return hash(
            (
                self.select,
                self.ignore,
                self.exclude,
                self.jax_version,
                self.python,
                self.environment,
            )
        )


ALL_RULES = "all"
KEYS = (
    "select",
    "extend-select",
    "ignore",
    "extend-ignore",
    "severity",
    "per-file-ignores",
    "exclude",
    "extend-exclude",
    "jax-version",
    "python",
    "hints",
    "overrides",
)
SETTINGS_FILES = ("jaxref.toml", ".jaxref.toml", "pyproject.toml")
DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pixi",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "_build",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
"""What folder walks leave out unless `exclude` says otherwise."""


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """A setting that is not understood; it was left out. Line and column count from 1."""

    path: str | None
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        where = "" if self.path is None else f"{self.path}:{self.line}:{self.column}: "
        return where + self.message


def load_settings(
    path: str,
    overrides: Mapping[str, object] | None = None,
    *,
    config: str | None = None,
    isolated: bool = False,
    defaults: Mapping[str, object] | None = None,
    known_rules: Collection[str] = (),
) -> tuple[Settings, tuple[SettingsProblem, ...]]:
    """The settings for the file or folder `path`, and what was wrong in them. Never raises.

    `overrides` has the keys of a settings file and wins over it; the file wins over `defaults`.
    `config` is a settings file to take instead of the nearest one; with `isolated` none is read.
    Where `known_rules` is given, other rule names are problems.
    """
    found = config if config is not None else nearest_settings_file(path)
    if isolated:
        found = None
    problems: list[SettingsProblem] = []
    table: Mapping[str, object] = {}
    text = ""
    if found is not None:
        table, text, problems = _read(found, required=config is not None)
    folder = os.path.dirname(os.path.abspath(found)) if found is not None else None
    settings = Settings(exclude=DEFAULT_EXCLUDE, source=found, folder=folder)
    if folder is not None:
        settings = replace(settings, roots=(folder,))
    section = "tool.jaxref" if found is not None and _is_pyproject(found) else ""

    def in_file(key: str, message: str) -> None:
        problems.append(SettingsProblem(found, *_place_of(text, section, key), message))

    def in_overrides(key: str, message: str) -> None:
        del key
        problems.append(SettingsProblem(None, 1, 1, message))

    if defaults:
        settings = _merged(settings, defaults, path, known_rules, in_overrides)
    settings = _merged(settings, table, path, known_rules, in_file)
    if overrides:
        settings = _merged(settings, overrides, path, known_rules, in_overrides)
    return settings, tuple(problems)


def nearest_settings_file(path: str) -> str | None:
    """The settings file that holds for the file or folder `path`."""
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        for name in SETTINGS_FILES:
            candidate = os.path.join(folder, name)
            if os.path.isfile(candidate) and (name != "pyproject.toml" or _has_table(candidate)):
                return candidate
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def keys_in(path: str) -> frozenset[str]:
    """The keys that the settings file at `path` has; none where it cannot be read."""
    return frozenset(_file(path).table or ())


def place_in_file(path: str, key: str) -> tuple[int, int]:
    """Line and column of `key` in the settings file at `path`, else those of its table."""
    return _place_of(_file(path).text, "tool.jaxref" if _is_pyproject(path) else "", key)


def _is_pyproject(path: str) -> bool:
    return os.path.basename(path) == "pyproject.toml"


@dataclass(frozen=True, slots=True)
class _File:
    text: str
    table: Mapping[str, object] | None
    problem: tuple[int, int, str] | None


def _file(path: str) -> _File:
    try:
        status = os.stat(path)
    except OSError as error:
        return _File("", None, (1, 1, f"cannot be read: {(error.strerror or str(error)).lower()}"))
    return _file_as_of(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=256)
def _file_as_of(path: str, changed: int, size: int) -> _File:
    del changed, size
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            text = stream.read()
    except OSError as error:
        return _File("", None, (1, 1, f"cannot be read: {(error.strerror or str(error)).lower()}"))
    except UnicodeDecodeError:
        return _File("", None, (1, 1, "is not valid UTF-8"))
    if _is_pyproject(path) and "jaxref" not in text:
        return _File(text, None, None)
    import tomllib

    try:
        table: object = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Not only `TOMLDecodeError`: a number of thousands of digits is a plain `ValueError`.
        place = re.search(r" \(at line (\d+), column (\d+)\)", str(error))
        message = str(error).split(" (at ")[0]
        message = f"is not valid TOML: {message[:1].lower()}{message[1:]}"
        if place is None:
            return _File(text, None, (max(1, text.count("\n")), 1, message))
        return _File(text, None, (int(place[1]), int(place[2]), message))
    if _is_pyproject(path):
        for key in ("tool", "jaxref"):
            table = table.get(key) if isinstance(table, dict) else None
        if table is not None and not isinstance(table, dict):
            return _File(
                text, None, (*_place_of(text, "tool", "jaxref"), "tool.jaxref must be a table")
            )
    return _File(text, table if isinstance(table, dict) else None, None)


def _has_table(path: str) -> bool:
    read = _file(path)
    return read.table is not None or (read.problem is not None and "tool.jaxref" in read.text)


def _read(path: str, required: bool) -> tuple[Mapping[str, object], str, list[SettingsProblem]]:
    read = _file(path)
    problems = []
    if read.problem is not None:
        problems.append(SettingsProblem(path, *read.problem))
    elif read.table is None and required:
        problems.append(SettingsProblem(path, 1, 1, "has no table [tool.jaxref]"))
    return read.table or MappingProxyType({}), read.text, problems


Report = Callable[[str, str], None]


def _merged(
    settings: Settings,
    table: Mapping[str, object],
    path: str,
    known_rules: Collection[str],
    report: Report,
) -> Settings:
    """`settings` with what `table` says; `report` takes the key and the message of a problem."""

    def rules(key: str, value: object) -> tuple[str, ...]:
        names = []
        for name in _strings(key, value, report):
            if known_rules and name != ALL_RULES and name not in known_rules:
                report(key, f"{key}: unknown rule `{name}`{_near(name, known_rules)}")
            else:
                names.append(name)
        return tuple(names)

    for key, value in table.items():
        if value is None:
            continue
        match key:
            case "select":
                settings = replace(settings, select=rules(key, value))
            case "extend-select":
                chosen = rules(key, value)
                kept = tuple(name for name in settings.ignore if name not in chosen)
                select = None if settings.select is None else (*settings.select, *chosen)
                settings = replace(settings, ignore=kept, select=select)
            case "ignore" | "extend-ignore":
                settings = replace(settings, ignore=_union(settings.ignore, rules(key, value)))
            case "severity":
                settings = _with_severities(settings, value, known_rules, report)
            case "per-file-ignores":
                settings = _with_ignored_here(settings, value, path, rules, report)
            case "exclude":
                settings = replace(settings, exclude=_patterns(key, value, report))
            case "extend-exclude":
                patterns = _patterns(key, value, report)
                settings = replace(settings, exclude=_union(settings.exclude, patterns))
            case "jax-version":
                settings = replace(settings, jax_version=_version(key, value, report))
            case "python":
                if isinstance(value, str) and value:
                    settings = replace(settings, python=_located(value, settings.folder))
                elif value != "":
                    report(key, f"python must be a string, not {_kind(value)}")
            case "hints":
                if isinstance(value, bool):
                    settings = replace(settings, hints=value)
                else:
                    report(key, f"hints must be true or false, not {_kind(value)}")
            case "overrides":
                # After all others, wherever it stands.
                continue
            case _:
                report(key, f"unknown setting `{key}`{_near(key, KEYS)}")
    if table.get("overrides") is not None:
        settings = _with_overrides(settings, table["overrides"], path, known_rules, report)
    return settings


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _kind(value: object) -> str:
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    if isinstance(value, list | tuple):
        return "a list"
    return names.get(type(value), "a table" if isinstance(value, Mapping) else "that")


def _near(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches

    simple = name.lower().replace("_", "-")
    near = [simple] if simple in known else get_close_matches(simple, known, 1, 0.6)
    return f"; did you mean `{near[0]}`?" if near else ""


def _strings(key: str, value: object, report: Report) -> tuple[str, ...]:
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    report(key, f"{key} must be a list of strings, not {_kind(value)}")
    return ()


def _patterns(key: str, value: object, report: Report) -> tuple[str, ...]:
    usable = []
    for pattern in _strings(key, value, report):
        problem = pattern_problem(pattern)
        if problem is None:
            usable.append(pattern)
        else:
            report(key, f"{key}: `{pattern}` is left out: {problem}")
    return tuple(usable)


def _with_severities(
    settings: Settings, value: object, known_rules: Collection[str], report: Report
) -> Settings:
    if not isinstance(value, Mapping):
        report("severity", f"severity must be a table of rules, not {_kind(value)}")
        return settings
    levels = dict(settings.severity)
    ignore = settings.ignore
    for rule, level in value.items():
        if known_rules and rule not in known_rules:
            report(f"severity.{rule}", f"severity: unknown rule `{rule}`{_near(rule, known_rules)}")
        elif level == "off":
            ignore = _union(ignore, (rule,))
        elif isinstance(level, str) and (named := _severity(level)) is not None:
            levels[rule] = named
        else:
            choices = ", ".join((*SEVERITIES, "off"))
            shown = f"`{level}`" if isinstance(level, str) else _kind(level)
            report(f"severity.{rule}", f"severity of {rule} must be one of {choices}, not {shown}")
    return replace(settings, severity=levels, ignore=ignore)


def _severity(name: str) -> Severity | None:
    return next((severity for severity in SEVERITIES if severity == name), None)


def _with_ignored_here(
    settings: Settings,
    value: object,
    path: str,
    rules: Callable[[str, object], tuple[str, ...]],
    report: Report,
) -> Settings:
    key = "per-file-ignores"
    if value:
        settings = replace(settings, per_file=True)
    if not isinstance(value, Mapping):
        report(key, f"{key} must be a table of patterns, not {_kind(value)}")
        return settings
    ignored: tuple[str, ...] = ()
    for pattern, names in value.items():
        listed = rules(key, names)
        problem = pattern_problem(pattern)
        if problem is not None:
            report(key, f"{key}: `{pattern}` is left out: {problem}")
        elif matches((pattern,), path, settings.folder or os.getcwd()):
            ignored = _union(ignored, listed)
    return replace(settings, ignore=_union(settings.ignore, ignored))


OVERRIDABLE = (
    "select",
    "extend-select",
    "ignore",
    "extend-ignore",
    "severity",
    "jax-version",
    "python",
    "hints",
)
"""What may be otherwise for some files. Which files are looked for is decided before these are known."""


def _with_overrides(
    settings: Settings,
    value: object,
    path: str,
    known_rules: Collection[str],
    report: Report,
) -> Settings:
    """`settings` with those tables of the setting `overrides` whose `files` match `path`."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, Mapping) for one in value):
        report("overrides", f"overrides must be a list of tables, not {_kind(value)}")
        return settings

    def inside(key: str, message: str) -> None:
        report(f"overrides.{key}", f"overrides: {message}")

    for table in value:
        settings = replace(settings, per_file=True)
        if "files" not in table:
            report("overrides", "overrides: a table says no files")
        files = _patterns("files", table.get("files", ()), inside)
        known = {key: one for key, one in table.items() if key in OVERRIDABLE}
        for key in table:
            if key not in known and key != "files":
                inside(key, f"unknown setting `{key}`{_near(key, ('files', *OVERRIDABLE))}")
        changed = _merged(settings, known, path, known_rules, inside)
        if matches(files, path, settings.folder or os.getcwd()):
            settings = changed
    return settings


def matches(patterns: tuple[str, ...], path: str, folder: str) -> bool:
    """True when `path` matches `patterns` as those of a .gitignore in `folder` would."""
    spec = spec_of(patterns)
    try:
        inside = os.path.relpath(os.path.abspath(path), folder).replace(os.sep, "/")
    except ValueError:
        return False
    if spec is None or inside == ".." or inside.startswith("../"):
        return False
    return bool(spec.verdict(inside))


class Patterns:
    """The patterns of a .gitignore, by its `lines`."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._names: frozenset[str] | None = None
        """The patterns where all are plain names."""
        if all(re.fullmatch(_NAME, line) for line in lines):
            self._names = frozenset(lines)
            return
        # It takes longer to import than a small file to check.
        from pathspec import GitIgnoreSpec

        self._spec = GitIgnoreSpec.from_lines(lines)

    def verdict(self, path: str) -> bool | None:
        """Whether a path is left out, or False where it is brought back; None where no pattern
        speaks of it. The path is relative, with slashes, and that of a folder ends with one."""
        if self._names is None:
            return self._spec.check_file(path).include
        return None if self._names.isdisjoint(path.split("/")) else True


_NAME = r"[.-]*\w[\w.-]*"


@lru_cache(maxsize=1024)
def spec_of(patterns: tuple[str, ...]) -> Patterns | None:
    """The patterns of a .gitignore that can be used; None where there is none."""
    if not patterns:
        return None
    return Patterns([pattern for pattern in patterns if pattern_problem(pattern) is None])


def pattern_problem(pattern: str) -> str | None:
    """Why a pattern cannot be used, if it cannot.

    Patterns are matched as regular expressions. What several stars match is ambiguous unless each
    has a folder to itself, and the time grows with a power of the path's length for each star more.
    """
    if re.fullmatch(_NAME, pattern):
        return None
    folders = pattern.strip().strip("/").split("/")
    ambiguous = folders.count("**") + sum(
        max(0, len(re.findall(r"\*+", folder)) - 1) for folder in folders
    )
    if ambiguous > _MOST_AMBIGUOUS_STARS:
        return "it has too many stars"
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return "it is no pattern as in a .gitignore"
    return None


_MOST_AMBIGUOUS_STARS = 3


def _version(key: str, value: object, report: Report) -> tuple[int, ...] | None:
    if value in ("", "auto"):
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}(\.\d{1,9})*", value):
        return tuple(int(part) for part in value.split("."))
    shown = f"`{value}`" if isinstance(value, str) else _kind(value)
    report(key, f'{key} must be a version such as "0.12", not {shown}')
    return None


def _located(value: str, folder: str | None) -> str:
    """`value` absolute when it is a path: relative ones count from the settings file's folder."""
    expanded = os.path.expanduser(value)
    if os.path.isabs(expanded):
        return expanded
    beside = os.path.join(folder or os.getcwd(), expanded)
    named_as_path = os.sep in expanded or "/" in expanded
    return os.path.normpath(beside) if named_as_path or os.path.exists(beside) else value


def _place_of(text: str, section: str, key: str) -> tuple[int, int]:
    """Line and column of `key` (dotted for one inside a table) in a TOML text; else of its table."""
    *tables, name = key.split(".", 1) if "." in key else [key]
    wanted = ".".join(part for part in (section, *tables) if part)
    current = ""
    fallback = (1, 1)
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        if header:
            current = re.sub(r"[\s\"']", "", header[1])
            if current in (section, wanted):
                fallback = (number, header.start(1) + 1)
            if current == f"{wanted}.{name}" if wanted else current == name:
                return number, header.start(1) + 1
            continue
        entry = re.match(
            r"""\s*(?P<key>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""",
            line,
        )
        if entry:
            dotted = re.sub(r"[\s\"']", "", entry["key"])
            full = f"{current}.{dotted}" if current else dotted
            column = entry.start("key") + 1
            if full == (f"{wanted}.{name}" if wanted else name):
                return number, column
            if full == wanted and (inline := line.find(name)) >= 0:
                return number, inline + 1
            if full == wanted:
                fallback = (number, column)
    return fallback
