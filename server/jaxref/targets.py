"""Which files to check: paths as given, and what the walk of a folder finds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from jaxref.quick_dataclasses import dataclass
from jaxref.resolve.files import read_bytes
from jaxref.settings import SETTINGS_FILES, Patterns, Settings, spec_of
from jaxref.source.documents import SUFFIXES, DocumentKind, kind_of

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check. `path` is absolute, `shown` is how to call it; relative where it can be.

    With `given` its content comes by standard input. `kind` is what it holds.
    """

    path: str
    shown: str
    given: bool = False
    kind: DocumentKind = "module"


@dataclass(frozen=True, slots=True)
class _Ignored:
    """The patterns of one ignore file, which count from `folder`."""

    folder: str
    spec: Patterns
    is_everything: bool = False
    """True for a file that ignores all that is in its folder."""


def shown_path(path: str) -> str:
    """`path` relative to the current folder when it lies in it."""
    here = os.getcwd()
    if path == here:
        return "."
    prefix = here if here.endswith(os.sep) else here + os.sep
    return path.removeprefix(prefix)


def targets(
    paths: Sequence[str],
    settings_of: Callable[[str], Settings],
    report: Callable[[str, str], None],
    force_exclude: bool = False,
    kinds: Mapping[str, DocumentKind] = SUFFIXES,
) -> Iterator[Target]:
    """The files that `paths` name, each once, in the order given and sorted by name inside folders.

    A file that is given is taken whatever its name and place, unless `force_exclude`. `report`
    takes a path and what is wrong with it. `kinds` says what files hold, by suffix. Links to folders are not followed inside a walk.
    """
    seen: set[str] = set()
    for path in paths:
        absolute = os.path.abspath(path)
        if os.path.isdir(absolute):
            if not force_exclude or not _excluded_itself(absolute, settings_of):
                yield from _unseen(_walk(absolute, settings_of, report, kinds), seen, kinds)
        elif os.path.exists(absolute):
            if not force_exclude or not _excluded_itself(absolute, settings_of):
                yield from _unseen(iter([absolute]), seen, kinds)
        elif os.path.lexists(absolute):
            report(path, "is a link that leads nowhere")
        else:
            report(path, "no such file or folder")


def _unseen(
    paths: Iterator[str], seen: set[str], kinds: Mapping[str, DocumentKind]
) -> Iterator[Target]:
    for path in paths:
        if path not in seen:
            seen.add(path)
            yield Target(path, shown_path(path), kind=kind_of(path, kinds) or "module")


def _excluded_itself(path: str, settings_of: Callable[[str], Settings]) -> bool:
    folder = os.path.dirname(path)
    settings = settings_of(folder)
    patterns = _exclusion(settings, folder)
    base = settings.folder if settings.folder is not None else os.getcwd()
    relative = os.path.relpath(path, base)
    inside = relative if not relative.startswith("..") else os.path.basename(path)
    return _matches(patterns, inside, os.path.isdir(path))


def _exclusion(settings: Settings, folder: str) -> Patterns | None:
    del folder
    return spec_of(settings.exclude)


def _matches(spec: Patterns | None, relative: str, folder: bool) -> bool:
    if spec is None:
        return False
    name = relative.replace(os.sep, "/")
    return bool(spec.verdict(name + "/" if folder else name))


def _walk(
    root: str,
    settings_of: Callable[[str], Settings],
    report: Callable[[str, str], None],
    kinds: Mapping[str, DocumentKind],
) -> Iterator[str]:
    """The files with Python under `root`."""
    around = _ignore_files_above(root)
    if any(_ignored_by(entry, root, True) for entry in around):
        around = []
    root_settings = settings_of(root)
    base = root_settings.folder
    if base is None or _matches(spec_of(root_settings.exclude), os.path.relpath(root, base), True):
        base = root
    pending: list[tuple[str, list[_Ignored]]] = [(root, around)]
    while pending:
        folder, ignoring = pending.pop()
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            report(shown_path(folder), (error.strerror or str(error)).lower())
            continue
        names = {entry.name for entry in entries}
        environment = _ENVIRONMENT_MARKS & names
        if environment and folder != root and not _PROJECT_MARKS & names:
            continue
        ignoring = [*ignoring, *_ignore_files_in(folder, names)]
        if environment:
            # The ignore file that comes with an environment would hide the project around it.
            ignoring = [one for one in ignoring if not (one.folder == folder and one.is_everything)]
            ignoring.append(_Ignored(folder, _spec_of_environment()))
        settings = settings_of(folder)
        exclude = spec_of(settings.exclude)
        counts_from = base if settings.folder == root_settings.folder else settings.folder or root
        below: list[tuple[str, list[_Ignored]]] = []
        for entry in entries:
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                is_file = not is_folder and entry.is_file()
            except OSError:
                continue
            if not is_folder and (not is_file or kind_of(entry.name, kinds) is None):
                continue
            if _matches(exclude, os.path.relpath(entry.path, counts_from), is_folder):
                continue
            if _is_ignored(ignoring, entry.path, is_folder):
                continue
            if is_folder:
                below.append((entry.path, ignoring))
            else:
                yield entry.path
        pending.extend(reversed(below))


_PROJECT_MARKS = frozenset(
    {"pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg", *SETTINGS_FILES}
)
_ENVIRONMENT_MARKS = frozenset({"pyvenv.cfg", "conda-meta"})
_ENVIRONMENT_FOLDERS = (
    "/bin/",
    "/Scripts/",
    "/include/",
    "/conda-meta/",
    "/lib/python*/",
    "/lib64/python*/",
    "/Lib/site-packages/",
)
"""What a virtual environment consists of, when it was made in a project's own folder."""


def _spec_of_environment() -> Patterns:
    spec = spec_of(_ENVIRONMENT_FOLDERS)
    assert spec is not None
    return spec


def _is_ignored(ignoring: list[_Ignored], path: str, folder: bool) -> bool:
    """True when the ignore files leave `path` out: the innermost one that speaks of it decides."""
    for entry in reversed(ignoring):
        name = os.path.relpath(path, entry.folder).replace(os.sep, "/")
        verdict = entry.spec.verdict(name + "/" if folder else name)
        if verdict is not None:
            return verdict
    return False


def _ignored_by(entry: _Ignored, path: str, folder: bool) -> bool:
    return _matches(entry.spec, os.path.relpath(path, entry.folder), folder)


def _ignore_files_above(root: str) -> list[_Ignored]:
    """The ignore files between the repository around `root` and `root`, the outermost first."""
    found: list[list[_Ignored]] = []
    folder = root
    while True:
        if folder != root:
            found.append(list(_ignore_files_in(folder, set(_IGNORE_FILES))))
        if os.path.exists(os.path.join(folder, ".git")):
            info = os.path.join(folder, ".git", "info", "exclude")
            found.append(list(_ignore_file(folder, info)))
            return [entry for level in reversed(found) for entry in level]
        above = os.path.dirname(folder)
        if above == folder:
            return []
        folder = above


_IGNORE_FILES = (".gitignore", ".ignore")


def _ignore_files_in(folder: str, names: set[str]) -> Iterator[_Ignored]:
    for name in _IGNORE_FILES:
        if name in names:
            yield from _ignore_file(folder, os.path.join(folder, name))


def _ignore_file(folder: str, path: str) -> Iterator[_Ignored]:
    read = read_bytes(path)
    if read is None:
        return
    content = read[0].decode("utf-8", "replace")
    lines = [line for line in content.splitlines() if line.strip()]
    spec = spec_of(tuple(lines))
    if spec is not None:
        patterns = [line.strip() for line in lines if not line.startswith("#")]
        yield _Ignored(folder, spec, patterns == ["*"])
