"""The rules' pages: what they say jaxref finds, what they say JAX does, and that both agree."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from harness import oracle, verdicts
from harness.markdown import FINDINGS, Fence, Page, read_page, without_expectations
from jaxref.rules.registry import rule_names

PAGES = [read_page(path) for path in sorted((Path(__file__).parent / "rules").glob("*.md"))]
FENCES = [pytest.param(f, id=f"{f.page}:{f.line}") for page in PAGES for f in page.fences]
FIXED = [parameter for parameter in FENCES if parameter.values[0].fixes is not None]


@pytest.fixture(scope="session")
def jax(request: pytest.FixtureRequest) -> Iterator[oracle.Oracle]:
    """The oracle, with every program that this session will ask about queued at once."""
    try:
        running = oracle.shared()
    except oracle.OracleMissing as missing:
        pytest.skip(f"no JAX to ask: {missing}")
    cache = getattr(request.config, "cache", None)
    if cache is not None:
        running.keep_in(cache.mkdir("oracle"))
    for item in request.session.items:
        if getattr(item, "originalname", "") == "test_execution":
            fence = item.callspec.params["fence"]
            if fence.versions.contains(running.jax, prereleases=True):
                running.ask(fence.text, verdicts.claims(fence, running.jax))
    yield running


def installed_jax() -> str | None:
    """The oracle's version, so that both halves speak of the same JAX; None where there is none."""
    if "JAXREF_ORACLE" in os.environ:
        return oracle.shared().jax
    try:
        return version("jax")
    except PackageNotFoundError:
        return None


@pytest.mark.parametrize("page", [pytest.param(page, id=page.path.name) for page in PAGES])
def test_page(page: Page) -> None:
    levels = [(level, text) for level, text, _ in page.headings]
    assert levels[:1] == [(1, page.path.stem)], "the title is the rule's name"
    absent = [name for name in verdicts.SECTIONS if (2, name) not in levels]
    assert not absent, f"sections missing: {absent}"
    assert any(
        f.expected(f.version(), "error", "warning", "info", "hint", "misses") for f in page.fences
    )
    assert any(not f.expectations and f.fixes is None for f in page.fences), "no right neighbour"
    assert_agreed(c for fence in page.fences for c in verdicts.page_complaints(fence))


def test_every_rule_has_a_page_that_shows_it() -> None:
    shown = {
        page.path.stem
        for page in PAGES
        for fence in page.fences
        for e in fence.expectations
        if e.kind in FINDINGS and e.subject == page.path.stem
    }
    assert rule_names() <= shown, f"no page shows {sorted(rule_names() - shown)}"
    assert shown <= rule_names(), f"pages show {sorted(shown - rule_names())}, which is no rule"


@pytest.mark.parametrize("fence", FENCES)
def test_analysis(fence: Fence) -> None:
    asked = fence.version(installed_jax())
    assert_agreed(verdicts.analysis_complaints(fence, verdicts.of_fence(fence, asked), asked))


@pytest.mark.parametrize("fence", FENCES)
def test_execution(fence: Fence, jax: oracle.Oracle) -> None:
    if not fence.versions.contains(jax.jax, prereleases=True):
        pytest.skip(f"needs JAX {fence.versions}, this is {jax.jax}")
    run = jax.run(fence.text, verdicts.claims(fence, jax.jax))
    assert_agreed(verdicts.execution_complaints(fence, run, jax.jax))


@pytest.mark.parametrize("fence", FIXED)
def test_fixes(fence: Fence) -> None:
    assert_agreed(verdicts.fix_complaints(fence, fence.version(installed_jax())))


@pytest.mark.parametrize("fence", FENCES)
def test_offered_fixes(fence: Fence, request: pytest.FixtureRequest) -> None:
    asked = fence.version(installed_jax())
    before = verdicts.analysed(without_expectations(fence.text), "before", asked)
    offered = list(verdicts.offered_fixes(before))
    if not offered:
        return
    jax = request.getfixturevalue("jax") if installed_jax() == asked else None
    said: list[str] = []
    for finding, fix, fixed in offered:
        after = verdicts.analysed(fixed, "after", asked)
        run = jax.run(fixed) if jax is not None else None
        said += verdicts.offered_fix_complaints(before, finding, fix, after, run)
    assert_agreed(f"{fence.place(fence.first)}: {complaint}" for complaint in said)


def assert_agreed(complaints: Iterator[str]) -> None:
    """Fail with the disagreements, one a line."""
    said = list(complaints)
    if said:
        pytest.fail("\n".join(said), pytrace=False)
