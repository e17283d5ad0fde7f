"""docs/command-line.md says what there is."""

from __future__ import annotations

import re
from pathlib import Path

from jaxref.cli.completion import commands
from jaxref.cli.options import FAIL_ON, OUTPUT_FORMATS, SHELLS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


def test_every_option_of_check_is_on_the_page_and_no_other() -> None:
    check = next(command for command in commands() if command.name == "check")
    there = {name for option in check.options for name in option.names}
    written = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", PAGE))
    assert there - written == {"-h"}
    assert written - there == {"--all", "-m"}


def test_commands_formats_and_levels_are_on_the_page() -> None:
    for command in commands():
        assert f"jaxref {command.name}" in PAGE, command.name
    for word in (*OUTPUT_FORMATS, *FAIL_ON):
        assert f"`{word}`" in PAGE, word
    for shell in SHELLS:
        assert f"jaxref completion {shell}" in PAGE


def test_every_variable_that_is_read_is_on_the_page() -> None:
    read: set[str] = set()
    for path in (ROOT / "server" / "jaxref").rglob("*.py"):
        read.update(
            re.findall(
                r'"((?:JAXREF|XDG|CONDA|VIRTUAL|NO|FORCE)_[A-Z_]+)"', path.read_text("utf-8")
            )
        )
    assert {"JAXREF_OUTPUT_FORMAT", "NO_COLOR"} <= read
    assert not [name for name in read if name not in PAGE]


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (ROOT / "docs" / target).is_file(), target
