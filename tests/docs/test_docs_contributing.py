"""The beginning of a rule that CONTRIBUTING.md promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))

import new_rule  # noqa: E402

from harness.markdown import read_page  # noqa: E402


@pytest.mark.parametrize("severity", ["error", "warning"])
def test_a_new_rule_is_a_rule_and_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, severity: str
) -> None:
    monkeypatch.setattr(new_rule, "REPOSITORY", tmp_path)
    for folder in ("server/jaxref/rules", "tests/rules"):
        (tmp_path / folder).mkdir(parents=True)
    assert new_rule.main(["ref-mistaken", severity, "a ref is mistaken"]) == 0
    module = tmp_path / "server/jaxref/rules/ref_mistaken.py"
    names: dict[str, object] = {}
    exec(compile(module.read_text(), str(module), "exec"), names)
    rule = names["RULE"]
    assert (rule.name, rule.severity, rule.summary) == (
        "ref-mistaken",
        severity,
        "a ref is mistaken",
    )
    page = read_page(tmp_path / "tests/rules/ref-mistaken.md")
    kinds = {one.kind for fence in page.fences for one in fence.expectations}
    assert kinds == {severity, "raises" if severity == "error" else "wrong"}
    assert new_rule.main(["ref-mistaken", severity, "again"]) == 1


@pytest.mark.parametrize(
    "arguments", [[], ["a", "b"], ["Mistake", "error", "x"], ["ref-x", "fatal", "x"]]
)
def test_what_is_no_rule_is_refused(arguments: list[str]) -> None:
    command = [sys.executable, str(REPOSITORY / "tools" / "new_rule.py"), *arguments]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
