"""docs/rules: up to date, and readable."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))

import rule_pages  # noqa: E402

from jaxref.cli.pages import listed_rules  # noqa: E402

PAGES = REPOSITORY / "docs" / "rules"


def test_the_committed_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert rule_pages.main(["--check"]) == 0, capsys.readouterr().err


def test_a_stale_page_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rule_pages, "PAGES", tmp_path / "rules")
    assert rule_pages.main([]) == 0
    assert rule_pages.main(["--check"]) == 0
    (tmp_path / "rules" / "grad-of-ref.md").write_text("old")
    (tmp_path / "rules" / "gone.md").write_text("old")
    assert rule_pages.main(["--check"]) == 1
    told = capsys.readouterr().err
    assert "docs/rules/gone.md is not up to date: run `make docs`" in told
    assert "docs/rules/grad-of-ref.md" in told
    assert rule_pages.main([]) == 0
    assert rule_pages.main(["--check"]) == 0


def test_every_rule_has_a_page_and_a_row() -> None:
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    for rule in listed_rules():
        assert f"| [{rule.name}]({rule.name}.md) | {rule.severity}" in index
        page = (PAGES / f"{rule.name}.md").read_text(encoding="utf-8")
        assert page.startswith(f"# {rule.name}\n\n**{rule.severity}**")


def test_nothing_of_the_tests_syntax_is_left() -> None:
    for path in PAGES.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert "<!--" not in text, path
        for line in text.splitlines():
            assert not re.search(
                r"# (error|warning|info|hint|misses|raises|wrong)(\(.*\))?: ", line
            )
            assert not re.match(r"```python .", line), path


def test_links_lead_somewhere() -> None:
    for page in [
        *PAGES.glob("*.md"),
        *(REPOSITORY / "docs" / name for name in ("api.md", "ci.md", "editors.md")),
        REPOSITORY / "README.md",
    ]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("x = 1  # why", "x = 1  # why"),
        (
            'y = f(1)  # error: [grad-of-ref] "`r`" # raises: TypeError "Ref"',
            "y = f(1)  # jaxref says error[grad-of-ref] ...`r`...; JAX raises TypeError: ...Ref...",
        ),
        ("    # wrong: a[0], meant 2.0", "    # JAX is silently wrong: a[0] should be 2.0"),
        ("f()  # raises(<0.11): ValueError", "f()  # JAX <0.11 raises ValueError"),
        ("f()  # misses: [grad-of-ref]", "f()  # jaxref does not find this yet"),
        ("r  # revealed: `r`: Ref", "r  # jaxref knows: `r`: Ref"),
    ],
)
def test_claims_in_words(written: str, read: str) -> None:
    assert rule_pages.readable(written) == read
