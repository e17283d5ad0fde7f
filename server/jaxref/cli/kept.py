"""The result of checking one file as it is kept for other runs, and as plain data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache

from jaxref.diagnostics.model import SEVERITIES, Diagnostic, Related
from jaxref.fixes.model import Edit, Fix
from jaxref.quick_dataclasses import dataclass
from jaxref.settings import Settings
from jaxref.source.documents import DocumentKind
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jaxref.engine import Analysis


@dataclass(frozen=True, slots=True)
class Kept:
    """One result to keep, and what it rests on.

    `texts` are digests by path; `absent` are paths at which nothing is; `surroundings` is a digest,
    None where the result does not depend on other modules.
    """

    content: str
    settings: str
    surroundings: str | None
    texts: Mapping[str, str]
    absent: tuple[str, ...]
    incomplete: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def kept_of(
    content: str,
    kind: DocumentKind,
    settings: Settings,
    analysis: Analysis,
    diagnostics: Iterable[Diagnostic],
    started: int,
) -> Kept | None:
    """The result for a file's `content` as it can be kept, None where it had better not be.

    It is not kept when something failed, when an answer did not come in time, or when a module that
    was read has changed since the analysis `started` (nanoseconds of the system's clock).
    """
    path = analysis.snapshot.path
    found = tuple(diagnostics)
    if analysis.failures or not analysis.settled:
        return None
    others = analysis.dependencies | {one.path for each in found for one in each.related}
    texts: dict[str, str] = {}
    for other in sorted(others - {path}):
        made = digest_of_file(other, before=started)
        if made is None:
            return None
        texts[other] = made
    from jaxref.relevance import mentions_jax

    relevant = mentions_jax(analysis.snapshot.text)
    return Kept(
        content_digest(content, kind),
        settings_digest(settings),
        surroundings_digest(path, settings) if relevant else None,
        texts,
        tuple(sorted({topmost_absent(missing) for missing in analysis.missing})),
        analysis.incomplete,
        found,
    )


def content_digest(content: str, kind: DocumentKind) -> str:
    """The same for files that hold the same, and of the same kind."""
    return digest(f"{kind}\n{content}")


def settings_digest(settings: Settings) -> str:
    """The same for settings under which a file has the same findings."""
    parts = (
        settings.select,
        settings.ignore,
        sorted(settings.severity.items()),
        settings.jax_version,
        settings.python,
        settings.hints,
        settings.suppressions,
        settings.roots,
        settings.folder,
    )
    return digest(repr(parts))


def digest(text: str) -> str:
    return digest_of_bytes(text.encode("utf-8", "surrogatepass"))


def digest_of_bytes(data: bytes) -> str:
    try:
        # `hashlib` loads OpenSSL, which takes longer than all digests of most runs.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=16).hexdigest()


def digest_of_file(path: str, before: int | None = None) -> str | None:
    """The digest of a file's bytes; None when it cannot be read, or was not changed last `before`."""
    try:
        status = os.stat(path)
        if before is not None and status.st_mtime_ns >= before:
            return None
        return _digest_as_of(path, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=4096)
def _digest_as_of(path: str, changed: int, size: int) -> str:
    del changed, size
    with open(path, "rb") as stream:
        return digest_of_bytes(stream.read())


def surroundings_digest(path: str, settings: Settings) -> str:
    from jaxref.resolve.surroundings import Surroundings

    return digest(repr(Surroundings(path, settings).identity))


def topmost_absent(path: str) -> str:
    """The first part of a missing path that is missing: while it is, so is all below it."""
    from jaxref.resolve.files import is_folder

    while True:
        above = os.path.dirname(path)
        if above == path or is_folder(above):
            return path
        path = above


def to_json(kept: Kept) -> list[Any]:
    return [
        kept.content,
        kept.settings,
        kept.surroundings,
        dict(kept.texts),
        list(kept.absent),
        list(kept.incomplete),
        [_diagnostic_to_json(diagnostic) for diagnostic in kept.diagnostics],
    ]


def _diagnostic_to_json(one: Diagnostic) -> list[Any]:
    related = [[other.path, *other.span, other.message, other.after] for other in one.related]
    fixes = [
        [
            fix.title,
            fix.applicability,
            fix.preferred,
            [[*edit.span, edit.text] for edit in fix.edits],
        ]
        for fix in one.fixes
    ]
    return [one.rule, one.severity, one.message, *one.span, related, fixes, one.suppressed]


def from_json(path: str, entry: Any) -> Kept:
    """Raises `TypeError`, `ValueError` or `LookupError` for what `to_json` does not make."""
    content, settings, surroundings, texts, absent, incomplete, diagnostics = entry
    return Kept(
        content,
        settings,
        surroundings,
        {_text(other): _text(made) for other, made in texts.items()},
        tuple(map(_text, absent)),
        tuple(map(_text, incomplete)),
        tuple(_diagnostic_from_json(path, diagnostic) for diagnostic in diagnostics),
    )


def _diagnostic_from_json(path: str, entry: Any) -> Diagnostic:
    rule, severity, message, start, end, related, fixes, suppressed = entry
    if severity not in SEVERITIES:
        raise ValueError(severity)
    return Diagnostic(
        path,
        _text(rule),
        severity,
        _text(message),
        _span(start, end),
        tuple(
            Related(_text(other), _span(first, last), _text(words), bool(after))
            for other, first, last, words, after in related
        ),
        tuple(_fix(*fix) for fix in fixes),
        bool(suppressed),
    )


def _fix(title: Any, applicability: Any, preferred: Any, edits: Any) -> Fix:
    if applicability not in ("safe", "unsafe", "display"):
        raise ValueError(applicability)
    made = tuple(Edit(_span(start, end), _text(text)) for start, end, text in edits)
    return Fix(_text(title), made, applicability, bool(preferred))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _span(start: Any, end: Any) -> Span:
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
        raise ValueError((start, end))
    return Span(start, end)
