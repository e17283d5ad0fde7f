"""The beginnings of a rule and of a description that CONTRIBUTING.md promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))

import new_function  # noqa: E402
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


def test_a_new_function_is_described_and_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(new_function, "REPOSITORY", tmp_path)
    models, tests = tmp_path / "server/jaxref/jaxmodel", tmp_path / "tests/unit/interp"
    models.mkdir(parents=True)
    tests.mkdir(parents=True)
    control = REPOSITORY / "server/jaxref/jaxmodel/control.py"
    (models / "control.py").write_text(control.read_text(encoding="utf-8"), encoding="utf-8")
    arguments = ["jax.lax.composite", "control", "a function under a name of its own"]
    assert new_function.main(arguments) == 0
    assert "from jaxref.jaxmodel.registry import plain_call" in capsys.readouterr().out
    names: dict[str, object] = {}
    source = (models / "control.py").read_text(encoding="utf-8")
    described = source[source.index('@describe("jax.lax.composite")') :]
    exec(
        f"from __future__ import annotations\ndescribe = lambda name: lambda f: f\n{described}",
        names,
    )
    assert callable(names["composite"])
    compile((tests / "test_control_composite.py").read_text(encoding="utf-8"), "test", "exec")
    assert new_function.main(arguments) == 1


@pytest.mark.parametrize(
    "arguments", [[], ["lax.scan", "control", "x"], ["jax.lax.new", "nowhere", "x"]]
)
def test_what_is_no_function_is_refused(arguments: list[str]) -> None:
    command = [sys.executable, str(REPOSITORY / "tools" / "new_function.py"), *arguments]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
