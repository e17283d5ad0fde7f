"""What earlier runs found, kept on disk and taken only while everything it rests on is the same.

An entry holds diagnostics as plain JSON data, nothing that could be executed. It rests on the texts
of the file and of the modules that were read for it, on modules that were looked for in vain, on the
settings, the environment, and on jaxref, its libraries and Python themselves. Concurrent runs replace
whole files in one step, so that each sees a whole one; what is broken is as good as not there.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time

import jaxref
from jaxref.cli.kept import (
    Kept,
    content_digest,
    digest,
    digest_of_bytes,
    digest_of_file,
    from_json,
    settings_digest,
    surroundings_digest,
    to_json,
)
from jaxref.diagnostics.report import Finding, findings_of
from jaxref.settings import Settings
from jaxref.source.documents import DocumentKind, document_of
from jaxref.source.reading import Unreadable, read_source
from jaxref.source.text import Text
from jaxref.targets import shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGEST_ENTRY = 256 * 1024
"""Characters of JSON; a file with more findings than that is analysed each time."""
LARGEST_CACHE = 64 * 1024 * 1024
"""Bytes of all entries together; the files that were written longest ago go first."""

_HEADER = "jaxref cache 1 "


class Cache:
    """The results in the folder `folder`, a file for each folder of checked files."""

    def __init__(self, folder: str) -> None:
        self._root = folder
        self._folder = os.path.join(folder, _version_digest())
        self._shards: dict[str, dict[str, Any]] = {}
        self._new: dict[str, dict[str, Any]] = {}
        self._digests: dict[str, str | None] = {}
        self._exists: dict[str, bool] = {}
        self._settings: dict[int, tuple[Settings, str]] = {}
        self._surroundings: dict[tuple[str, str], str] = {}

    def get(
        self, path: str, content: str, kind: DocumentKind, settings: Settings, shown: str
    ) -> tuple[tuple[Finding, ...], tuple[str, ...], frozenset[str]] | None:
        """Findings, what was given up, and the other paths that this rests on, for the file at the
        absolute `path`, when they are known."""
        folder, name = os.path.split(path)
        entry = self._shard(folder).get(name)
        try:
            kept = None if entry is None else from_json(path, entry)
            if kept is None or not self._holds(kept, path, content, kind, settings):
                return None
            others = frozenset({*kept.texts, *kept.absent})
            if not kept.diagnostics:
                return (), kept.incomplete, others
            texts = {
                related.path: Text(read_source(related.path).content)
                for diagnostic in kept.diagnostics
                for related in diagnostic.related
                if related.path != path
            }
            document = document_of(content, kind)
            found = findings_of(shown, document, kept.diagnostics, texts, shown_path)
            return found, kept.incomplete, others
        except (AttributeError, TypeError, ValueError, LookupError, Unreadable):
            # Of another form than this version writes.
            return None

    def put(self, path: str, kept: Kept) -> None:
        """Keep a result; nothing is written before `save`."""
        folder, name = os.path.split(path)
        entry = to_json(kept)
        if len(json.dumps(entry)) <= LARGEST_ENTRY:
            self._new.setdefault(folder, {})[name] = entry

    def save(self) -> None:
        """Write what is new, with what other runs have written meanwhile. Never raises."""
        with contextlib.suppress(OSError):
            for folder, entries in self._new.items():
                there = self._read(folder)
                kept = {
                    name: entry
                    for name, entry in there.items()
                    if name not in entries and os.path.exists(os.path.join(folder, name))
                }
                self._write(folder, kept | entries)
            if self._new:
                _prune(self._root)
        self._new.clear()

    def _holds(
        self, kept: Kept, path: str, content: str, kind: DocumentKind, settings: Settings
    ) -> bool:
        """Whether everything is as it was when the result was kept."""
        known = self._settings.get(id(settings))
        if known is None:
            known = self._settings[id(settings)] = (settings, settings_digest(settings))
        if kept.content != content_digest(content, kind) or kept.settings != known[1]:
            return False
        if kept.surroundings is not None:
            key = (os.path.dirname(path), known[1])
            now = self._surroundings.get(key)
            if now is None:
                now = self._surroundings[key] = surroundings_digest(path, settings)
            if kept.surroundings != now:
                return False
        return not any(map(self._is_there, kept.absent)) and all(
            self._digest_now(other) == made for other, made in kept.texts.items()
        )

    def _digest_now(self, path: str) -> str | None:
        if path not in self._digests:
            self._digests[path] = digest_of_file(path)
        return self._digests[path]

    def _is_there(self, path: str) -> bool:
        there = self._exists.get(path)
        if there is None:
            there = self._exists[path] = os.path.lexists(path)
        return there

    def _shard(self, folder: str) -> dict[str, Any]:
        shard = self._shards.get(folder)
        if shard is None:
            shard = self._shards[folder] = self._read(folder)
        return shard

    def _place(self, folder: str) -> str:
        return os.path.join(self._folder, digest(folder) + ".json")

    def _read(self, folder: str) -> dict[str, Any]:
        """The entries for a folder by file name; {} where there are none or they are broken."""
        try:
            with open(self._place(folder), "rb") as stream:
                header, _, body = stream.read().partition(b"\n")
            if header.decode() != _HEADER + digest_of_bytes(body):
                return {}
            record = json.loads(body)
            if record["folder"] != folder or not isinstance(record["files"], dict):
                return {}
            return dict(record["files"])
        except (OSError, TypeError, ValueError, LookupError, RecursionError):
            return {}

    def _write(self, folder: str, entries: dict[str, Any]) -> None:
        if not os.path.isdir(self._folder):
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            _mark(self._root)
        body = json.dumps({"folder": folder, "files": entries}, separators=(",", ":")).encode()
        # As `tempfile` would do it, which takes longer to import than all this.
        name = os.path.join(self._folder, f".new-{os.getpid()}-{time.monotonic_ns()}")
        try:
            with open(name, "xb", opener=_for_its_owner) as stream:
                stream.write((_HEADER + digest_of_bytes(body)).encode() + b"\n" + body)
            os.replace(name, self._place(folder))
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise


def cache_folder(chosen: str | None = None) -> str:
    """The folder for the cache: `chosen`, JAXREF_CACHE_DIR, else the user's for caches."""
    chosen = chosen or os.environ.get("JAXREF_CACHE_DIR")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        match sys.platform:
            case "darwin":
                base = os.path.expanduser("~/Library/Caches")
            case "win32":
                base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
            case _:
                base = os.path.expanduser("~/.cache")
    return os.path.join(base, "jaxref")


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _version_digest() -> str:
    """Another one whenever the code that makes findings may be another one."""
    parts: list[object] = [jaxref.__version__, sys.version, sys.platform]
    package = os.path.dirname(os.path.abspath(jaxref.__file__))
    parts.append((package, _sources(package)))
    for library in ("jedi", "parso"):
        for folder in sys.path:
            path = os.path.join(folder, library, "__init__.py")
            with contextlib.suppress(OSError):
                status = os.stat(path)
                parts.append((path, status.st_mtime_ns, status.st_size))
                break
    return digest(repr(parts))


def _sources(folder: str) -> list[object]:
    """The names, times and sizes of the source files in a folder, and of those in the folders in it."""
    found: list[object] = []
    with os.scandir(folder) as entries:
        # By `os.walk` it would take twice as long, a twentieth of a run in which all is known.
        for one in sorted(entries, key=lambda entry: entry.name):
            if one.name.endswith((".py", ".pyi")):
                status = one.stat()
                found.append((one.name, status.st_mtime_ns, status.st_size))
            elif one.name != "__pycache__" and one.is_dir():
                found.append((one.name, _sources(one.path)))
    return found


def _mark(root: str) -> None:
    """Let version control and backups leave the folder out, wherever it was put."""
    for name, content in (
        (".gitignore", "*\n"),
        ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
    ):
        path = os.path.join(root, name)
        if not os.path.exists(path):
            with open(path, "w", encoding="ascii") as stream:
                stream.write(content)


def _prune(root: str) -> None:
    """Remove what was written longest ago until the rest is small enough, and forgotten drafts."""
    files: list[tuple[int, int, str]] = []
    for entry in os.scandir(root):
        if entry.is_dir(follow_symlinks=False):
            for one in os.scandir(entry.path):
                with contextlib.suppress(OSError):
                    status = one.stat(follow_symlinks=False)
                    if one.name.endswith(".json") or one.name.startswith(".new-"):
                        files.append((status.st_mtime_ns, status.st_size, one.path))
    total = sum(size for _, size, _ in files)
    hour_ago = time.time_ns() - 3_600_000_000_000
    for changed, size, path in sorted(files):
        draft = os.path.basename(path).startswith(".new-") and changed < hour_ago
        if total <= LARGEST_CACHE and not draft:
            continue
        with contextlib.suppress(OSError):
            os.unlink(path)
            os.rmdir(os.path.dirname(path))
        total -= size
