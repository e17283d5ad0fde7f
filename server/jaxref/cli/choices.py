"""The settings that hold for each file of a run: settings files, and the command line over them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from jaxref.diagnostics.report import INTERNAL_ERROR
from jaxref.quick_dataclasses import replace
from jaxref.settings import Settings, load_settings, nearest_settings_file
from jaxref.source.documents import SUFFIXES, DocumentKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def complain(message: str) -> None:
    """Put one line for the user on standard error."""
    print(f"jaxref: {message}", file=sys.stderr)


class Choices:
    """Settings by file, each problem in them reported once."""

    def __init__(
        self,
        overrides: Mapping[str, object],
        config: str | None = None,
        isolated: bool = False,
        report: Callable[[str], None] = complain,
        suppressions: bool = True,
    ) -> None:
        self.overrides = overrides
        self._config = config
        self._isolated = isolated
        self._suppressions = suppressions
        self._report = report
        self._by_folder: dict[str, Settings] = {}
        self._reported: set[str] = set()
        self._rules: frozenset[str] | None = None
        self.failed = False
        """True once a problem was reported."""

    def of_folder(self, folder: str) -> Settings:
        """The settings for `folder`, without what is set for single files."""
        settings = self._by_folder.get(folder)
        if settings is None:
            settings = self._by_folder[folder] = self._load(folder)
        return settings

    def of_file(self, path: str) -> Settings:
        """The settings for the file `path`."""
        settings = self.of_folder(os.path.dirname(path))
        if settings.per_file:
            return self._load(path)
        return settings

    def tell(self, mistake: str) -> None:
        """Report a mistake in the settings, unless it was reported before."""
        if mistake not in self._reported:
            self._reported.add(mistake)
            self._report(mistake)
            self.failed = True

    def _load(self, path: str) -> Settings:
        any_setting = self.overrides or self._config or nearest_settings_file(path)
        settings, problems = load_settings(
            path,
            self.overrides,
            config=self._config,
            isolated=self._isolated,
            known_rules=self._known_rules() if any_setting else (),
        )
        for problem in problems:
            self.tell(str(problem))
        if settings.python is not None:
            from jaxref.resolve.surroundings import environment_problem

            # A folder stands for the files in it.
            inside = os.path.join(path, "") if os.path.isdir(path) else path
            lost = environment_problem(inside, settings, self.overrides)
            if lost is not None:
                self.tell(str(lost))
        return settings if self._suppressions else replace(settings, suppressions=False)

    def _known_rules(self) -> frozenset[str]:
        if self._rules is None:
            self._rules = rule_names()
        return self._rules


def rule_names() -> frozenset[str]:
    """All names that may stand in settings and comments."""
    from jaxref.cli.pages import listed_rules

    return frozenset(rule.name for rule in listed_rules()) - {INTERNAL_ERROR}


def overrides_of(options: argparse.Namespace) -> dict[str, object]:
    """What the command line sets, with the keys of a settings file."""
    overrides: dict[str, object] = dict(getattr(options, "configured", {}))
    for key, given in (
        ("select", getattr(options, "select", None)),
        ("extend-select", getattr(options, "extend_select", None)),
        ("ignore", getattr(options, "ignore", None)),
        ("exclude", getattr(options, "exclude", None)),
        ("extend-exclude", getattr(options, "extend_exclude", None)),
    ):
        if given is not None:
            overrides[key] = [
                part.strip() for item in given for part in item.split(",") if part.strip()
            ]
    if getattr(options, "severity", None):
        pairs = (item.partition("=") for item in options.severity)
        levels = {rule.strip(): level.strip() for rule, _, level in pairs}
        there = overrides.get("severity")
        overrides["severity"] = levels if not isinstance(there, dict) else there | levels
    if getattr(options, "jax_version", None):
        overrides["jax-version"] = options.jax_version
    if getattr(options, "python", None):
        from jaxref.cli.configured import environment_at

        overrides["python"] = environment_at(options.python)
    return overrides


def kinds_of(options: argparse.Namespace) -> dict[str, DocumentKind]:
    """What files hold, by suffix: as it is known, and as `--extension` says."""
    return SUFFIXES | dict(options.extension or ())
