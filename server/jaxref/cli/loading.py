"""One file read, and what was found in it, by this run or an earlier one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from jaxref.diagnostics.report import Finding
from jaxref.quick_dataclasses import dataclass
from jaxref.settings import Settings
from jaxref.source.documents import SUFFIXES, DocumentKind, kind_of
from jaxref.source.reading import SourceFile, Unreadable, decode_source, read_source
from jaxref.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.cli.cache import Cache
    from jaxref.cli.kept import Kept


@dataclass(frozen=True, slots=True)
class Loaded:
    """A target that was read."""

    target: Target
    kind: DocumentKind
    file: SourceFile


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one file. `incomplete` says what was given up, `failures` what failed inside."""

    target: Target
    findings: tuple[Finding, ...]
    incomplete: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    kept: Kept | None = None
    """The result as it can be kept for other runs."""
    others: frozenset[str] = frozenset()
    """Other paths that the result rests on: modules that were read, and where one was looked for."""


def load(target: Target) -> Loaded:
    """Read `target`. Raises `Unreadable`."""
    is_module = target.kind == "module"
    if target.given:
        if sys.stdin is None:
            raise Unreadable("is closed")
        return Loaded(target, target.kind, decode_source(sys.stdin.buffer.read(), is_module))
    return Loaded(target, target.kind, read_source(target.path, declared=is_module))


def standard_input(name: str | None, kinds: Mapping[str, DocumentKind] = SUFFIXES) -> Target:
    """The target that stands for standard input, called `name`, of the kind that its suffix has."""
    kind = kind_of(name or "", kinds) or "module"
    return Target(os.path.abspath(name or "stdin.py"), name or "<stdin>", given=True, kind=kind)


def kept_result(
    target: Target, settings_of: Callable[[str], Settings], cache: Cache
) -> Checked | None:
    """What is known of a target from an earlier run; None also when it cannot be read."""
    try:
        loaded = load(target)
    except Unreadable:
        return None
    known = cache.get(
        target.path, loaded.file.content, loaded.kind, settings_of(target.path), target.shown
    )
    if known is None:
        return None
    findings, incomplete, others = known
    return Checked(target, findings, incomplete, others=others)
