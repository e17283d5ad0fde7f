"""Every fix that is offered: it parses, removes its finding, adds none, stays away afterwards, and runs.

The labelled programs of `corpus` and those in `unit/fixes/meant` are fixed, one fix at a time.
`# meant: EXPRESSION == EXPRESSION` lines of the latter say what the program must compute after its
preferred fixes, `# meant by TITLE: EXPRESSION == EXPRESSION` after those whose titles begin so.
Fixes are executed by JAX where it is installed: of the corpus a part that is chosen by content, all of
them with `JAXREF_ALL_FIXES=1`.
"""

from __future__ import annotations

import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from harness import oracle, positions, verdicts
from harness.corpus import read_corpus
from jaxref.diagnostics.model import Diagnostic
from jaxref.engine import Analysis
from jaxref.fixes.model import Fix
from test_rules import installed_jax

HERE = Path(__file__).parent
VERSION = "0.12.0.1"
PART = 12
"""One in this many fixes of the corpus is executed by default."""

CORPUS = {
    program.name: (program.text, program.silent)
    for program in read_corpus(HERE / "corpus")
    if program.rule is not None
}
MEANT = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((HERE / "unit" / "fixes" / "meant").glob("*.py"))
}

PLACES = {f"place: {name}": positions.SETUP + code for name, code in positions.PLACES.items()}

_MEANT_LINE = re.compile(r"^# meant(?: by (.+?))?: (.+?) == (.+)$", re.MULTILINE)


def file_name(name: str) -> str:
    return re.sub(r"\W", "_", name.removesuffix(".py"))


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix of a finding, and the program after it."""

    finding: Diagnostic
    fix: Fix
    fixed: str

    @property
    def name(self) -> str:
        return f"[{self.finding.rule}] {self.fix.title}"


@cache
def offers(name: str) -> tuple[Analysis, tuple[Offer, ...]]:
    text = CORPUS[name][0] if name in CORPUS else {**MEANT, **PLACES}[name]
    before = verdicts.analysed(text, file_name(name), VERSION)
    return before, tuple(Offer(*found) for found in verdicts.offered_fixes(before))


def executed(offer: Offer) -> bool:
    if os.environ.get("JAXREF_ALL_FIXES"):
        return True
    return zlib.crc32(offer.fixed.encode()) % PART == 0


def claims(offer: Offer) -> tuple[oracle.Claim, ...]:
    """What the fixed program is said to compute, after its last line."""

    code = max(i for i, line in enumerate(offer.fixed.splitlines(), 1) if line and line[0] != "#")

    return tuple(
        oracle.Claim(code, expression, meant)
        for title, expression, meant in _MEANT_LINE.findall(offer.fixed)
        # A fix that leaves a gradient out cannot give its value.
        if (offer.fix.title.startswith(title) if title else offer.fix.preferred)
    )


@pytest.fixture(scope="module")
def jax(request: pytest.FixtureRequest) -> Iterator[oracle.Oracle | None]:
    """The oracle with all programs queued at once; None where the JAX of the tests is another."""
    if installed_jax() != VERSION:
        yield None
        return
    running = oracle.shared()
    running.keep_in(request.config.cache.mkdir("oracle"))
    for item in request.session.items:
        name = getattr(item, "callspec", None) and item.callspec.params.get("name")
        if name in CORPUS or name in PLACES:
            for offer in filter(executed, offers(name)[1]):
                running.ask(offer.fixed)
        elif name in MEANT:
            for offer in offers(name)[1]:
                running.ask(offer.fixed, claims(offer))
    yield running


COUNTS: dict[str, Counter[str]] = {}


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in CORPUS])
def test_corpus(name: str, jax: oracle.Oracle | None) -> None:
    before, offered = offers(name)
    assert not before.incomplete
    said: list[str] = []
    for finding in before.diagnostics:
        if finding.severity in ("error", "warning"):
            COUNTS.setdefault(finding.rule, Counter())["found"] += 1
            COUNTS[finding.rule]["with a fix"] += bool(finding.fixes)
    for offer in offered:
        count = COUNTS.setdefault(offer.finding.rule, Counter())
        count["offered"] += 1
        after = verdicts.analysed(offer.fixed, file_name(name), VERSION)
        complaints = list(statics(before, offer, after))
        count["right"] += not complaints
        if jax is not None and executed(offer):
            count["executed"] += 1
            wrong = list(runs(name, offer, after, jax.run(offer.fixed)))
            count["ran"] += not wrong
            complaints += wrong
        said += complaints
    if said:
        pytest.fail("\n".join(said), pytrace=False)


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in PLACES])
def test_place(name: str, jax: oracle.Oracle | None) -> None:
    before, offered = offers(name)
    assert any(d.rule == "unbound-ref-gradient" for d in before.diagnostics)
    said: list[str] = []
    for offer in offered:
        after = verdicts.analysed(offer.fixed, file_name(name), VERSION)
        said += statics(before, offer, after)
        if jax is not None and executed(offer):
            said += runs(name, offer, after, jax.run(offer.fixed))
    if said:
        pytest.fail("\n".join(said), pytrace=False)


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in MEANT])
def test_meant(name: str, jax: oracle.Oracle | None) -> None:
    before, offered = offers(name)
    for title, _, _ in _MEANT_LINE.findall(before.snapshot.text):
        assert any(
            offer.fix.title.startswith(title)
            if title
            else offer.fix.applicability == "safe" and offer.fix.preferred
            for offer in offered
        )
    said: list[str] = []
    for offer in offered:
        after = verdicts.analysed(offer.fixed, file_name(name), VERSION)
        said += statics(before, offer, after)
        if jax is None:
            continue
        run = jax.run(offer.fixed, claims(offer))
        said += runs(name, offer, after, run)
        for claim in run.claims:
            if not claim.same:
                said.append(f"{offer.name}: {claim}\n{offer.fixed}")
    if said:
        pytest.fail("\n".join(said), pytrace=False)


def statics(before: Analysis, offer: Offer, after: Analysis) -> Iterator[str]:
    """What is wrong with a fix without running it."""
    yield from verdicts.offered_fix_complaints(before, offer.finding, offer.fix, after, None)
    for one in after.diagnostics:
        if one.rule == offer.finding.rule and one.span == offer.finding.span:
            if any(again.title == offer.fix.title for again in one.fixes):
                yield f"{offer.name} is offered again after it was applied\n{offer.fixed}"


def runs(name: str, offer: Offer, after: Analysis, run: oracle.Run) -> Iterator[str]:
    """What goes wrong when a fixed program is run.

    It may raise where jaxref finds another error, and, where the unfixed one asserted that its result
    is wrong, in that assertion.
    """
    silent = name in CORPUS and CORPUS[name][1]
    lines = offer.fixed.splitlines()
    kept = tuple(
        s
        for s in run.statements
        if not (silent and s.exception == "AssertionError" and "assert " in lines[s.raised_at - 1])
    )
    shown = oracle.Run(kept, run.claims, run.crashed)
    for said in verdicts.offered_fix_complaints(EMPTY, offer.finding, offer.fix, after, shown):
        if "leaves its finding" not in said and "brings a new" not in said:
            yield said


EMPTY = verdicts.analysed("", "empty", VERSION)


def test_table(request: pytest.FixtureRequest) -> None:
    """Print what was offered, and how it went, by rule."""
    rows = ["", f"{'rule':32s} found with a fix offered right executed ran"]
    for rule, count in sorted(COUNTS.items()):
        rows.append(
            f"{rule:32s} {count['found']:5d} {count['with a fix']:10d} {count['offered']:7d}"
            f" {count['right']:5d} {count['executed']:8d} {count['ran']:3d}"
        )
    capture = request.config.pluginmanager.get_plugin("capturemanager")
    if COUNTS and capture is not None:
        with capture.global_and_fixture_disabled():
            print("\n".join(rows))
    assert all(count["right"] == count["offered"] for count in COUNTS.values())
    assert all(count["ran"] == count["executed"] for count in COUNTS.values())
