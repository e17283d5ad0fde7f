"""docs/licences.md: complete, and nothing in it that would bind users of jaxref."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))

import licences  # noqa: E402

FREE_TO_USE = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSD", "MIT", "MPL-2.0", "PSF-2.0"}


def test_the_committed_page_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert licences.main(["--check"]) == 0, capsys.readouterr().err


def test_all_licences_allow_use_in_any_work() -> None:
    rows = re.findall(r"^\| \[(.+)\]\(.+\) \| .+ \| (.+) \|$", licences.page(), re.MULTILINE)
    assert {licence for _, licence in rows} <= FREE_TO_USE
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    direct = {re.split(r"[^\w-]", one)[0] for one in project["dependencies"]}
    assert direct <= {name for name, _ in rows}
