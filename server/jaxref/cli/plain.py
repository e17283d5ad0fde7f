"""The options of `jaxref check`, read without `argparse` where they are written plainly.

`argparse`, with what it imports, takes as long to import and to learn the options as a bare Python
takes to start. The grammar is in `options`; the tests hold that both read the same.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

OUTPUT_FORMATS = ("full", "concise", "json", "json-lines", "github", "gitlab", "sarif", "junit")
FAIL_ON = ("error", "warning", "info", "never")
COLOURS = ("auto", "always", "never")

_FLAGS = (
    "--statistics",
    "--quiet",
    "--verbose",
    "--fix",
    "--unsafe-fixes",
    "--diff",
    "--show-fixes",
    "--fix-only",
    "--add-ignore",
    "--ignore-suppressions",
    "--force-exclude",
    "--isolated",
    "--exit-zero",
    "--exit-non-zero-on-fix",
    "--watch",
    "--no-cache",
    "--show-files",
    "--show-settings",
)
_SHORT = {"-q": "--quiet", "-v": "--verbose", "-w": "--watch"}
_CHOSEN = {"--output-format": OUTPUT_FORMATS, "--fail-on": FAIL_ON, "--color": COLOURS}
_OTHERS = (
    "--output-file",
    "--select",
    "--extend-select",
    "--ignore",
    "--severity",
    "--exclude",
    "--extend-exclude",
    "--jax-version",
    "--python",
    "--extension",
    "--config",
    "--stdin-filename",
    "--baseline",
    "--write-baseline",
    "--jobs",
    "--cache-dir",
)


def plain_options(arguments: Sequence[str]) -> Namespace | None:
    """The options of `jaxref check`, None where there is more than paths in one place, flags, and
    options with one of a few values or a folder."""
    if arguments[:1] != ["check"]:
        return None
    options = {_attribute(name): False for name in _FLAGS} | dict.fromkeys(map(_attribute, _OTHERS))
    options |= {"command": "check", "configured": {}, "fail_on": "warning", "color": "auto"}
    options["output_format"] = os.environ.get("JAXREF_OUTPUT_FORMAT", "full")
    paths: list[str] = []
    left = list(reversed(arguments[1:]))
    paths_ended = False
    while left:
        one = left.pop()
        one = _SHORT.get(one, one)
        if one == "-" or not one.startswith("-"):
            if paths_ended:
                return None
            paths.append(one)
            continue
        paths_ended = bool(paths)
        if one in _FLAGS:
            options[_attribute(one)] = True
        elif not left or left[-1].startswith("-"):
            return None
        elif one == "--cache-dir" or left[-1] in _CHOSEN.get(one, ()):
            options[_attribute(one)] = left.pop()
        else:
            return None
    return SimpleNamespace(**options, paths=paths)  # type: ignore[return-value]


def _attribute(name: str) -> str:
    return name.removeprefix("--").replace("-", "_")
