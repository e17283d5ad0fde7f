"""Findings that are known and not to be reported again: a file of fingerprints without line numbers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxref.cli.stopping import writing
from jaxref.diagnostics.records import fingerprints
from jaxref.diagnostics.report import Finding
from jaxref.source.reading import write_atomically

VERSION = 1


class BadBaseline(Exception):
    """A file that is no baseline; `str()` is one line without the path."""


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """A finding of a baseline. `path` is relative to the folder of the baseline, with slashes."""

    path: str
    rule: str
    message: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings of the file `path`."""

    path: str
    known: tuple[Known, ...] = ()

    def new(self, findings: Sequence[Finding], path: str) -> tuple[Finding, ...]:
        """Those of the `findings` in the file at the absolute `path` that are not known."""
        mine = {one.fingerprint for one in self.known if one.path == self._relative(path)}
        if not mine:
            return tuple(findings)
        named = zip(findings, self._fingerprints(findings, path), strict=True)
        return tuple(finding for finding, fingerprint in named if fingerprint not in mine)

    def stale(
        self,
        found: Sequence[tuple[str, Sequence[Finding]]],
        enabled: Callable[[str, str], bool],
    ) -> tuple[Known, ...]:
        """What is known and was not found again.

        `found` has all findings of each checked file, by absolute path. Known findings of files that
        were not checked are stale only when the file is gone; those of rules that are not `enabled`
        for the path are not.
        """
        left: list[Known] = []
        checked = {
            self._relative(path): (path, set(self._fingerprints(findings, path)))
            for path, findings in found
        }
        for one in self.known:
            path, seen = checked.get(one.path, (None, set()))
            if path is None:
                if not os.path.exists(os.path.join(os.path.dirname(self.path), one.path)):
                    left.append(one)
            elif one.fingerprint not in seen and enabled(path, one.rule):
                left.append(one)
        return tuple(left)

    def replaced(self, found: Sequence[tuple[str, Sequence[Finding]]]) -> Baseline:
        """With the findings of the checked files in place of what was known of these.

        What was known of other files stays, unless the file is gone.
        """
        checked = {self._relative(path) for path, _ in found}
        folder = os.path.dirname(self.path)
        known = [
            one
            for one in self.known
            if one.path not in checked and os.path.exists(os.path.join(folder, one.path))
        ]
        for path, findings in found:
            for finding, fingerprint in zip(
                findings, self._fingerprints(findings, path), strict=True
            ):
                relative = self._relative(path)
                known.append(Known(relative, finding.rule, finding.message, fingerprint))
        return Baseline(self.path, tuple(sorted(known)))

    def write(self) -> None:
        """Write the file in one step. Raises `OSError`."""
        records = [
            {
                "path": one.path,
                "rule": one.rule,
                "message": one.message,
                "fingerprint": one.fingerprint,
            }
            for one in self.known
        ]
        text = json.dumps({"version": VERSION, "findings": records}, indent=2)
        with writing():
            write_atomically(self.path, (text + "\n").encode())

    def _relative(self, path: str) -> str:
        try:
            relative = os.path.relpath(path, os.path.dirname(self.path))
        except ValueError:
            # On another drive.
            relative = path
        return relative.replace(os.sep, "/")

    def _fingerprints(self, findings: Sequence[Finding], path: str) -> list[str]:
        return fingerprints(findings, self._relative(path))


def baseline_at(path: str) -> Baseline:
    """The baseline in the file `path`. Raises `BadBaseline`, `OSError` when it cannot be read."""
    path = os.path.abspath(path)
    with open(path, "rb") as stream:
        data = stream.read()
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        raise BadBaseline("is not JSON") from None
    if not isinstance(record, dict) or not isinstance(record.get("findings"), list):
        raise BadBaseline("is not a baseline; write one with --write-baseline")
    if record.get("version") != VERSION:
        raise BadBaseline(f"is a baseline of version {record.get('version')}, not {VERSION}")
    return Baseline(path, tuple(_known(entry) for entry in record["findings"]))


def _known(entry: object) -> Known:
    if not isinstance(entry, dict):
        raise BadBaseline("holds an entry that is no object")
    match entry:
        case {"path": str(path), "rule": str(rule), "message": str(message)}:
            if isinstance(fingerprint := entry.get("fingerprint"), str):
                return Known(path, rule, message, fingerprint)
    raise BadBaseline("holds an entry without one of path, rule, message, fingerprint")
