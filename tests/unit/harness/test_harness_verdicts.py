"""Every kind of disagreement between a page, jaxref and JAX is told, and none is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import verdicts
from harness.markdown import Fence, parse_page
from harness.oracle import Checked, Run, Statement
from harness.verdicts import (
    analysis_complaints,
    execution_complaints,
    fix_complaints,
    offered_fix_complaints,
    offered_fixes,
    page_complaints,
)
from jaxref.diagnostics.model import Diagnostic, Related, Severity
from jaxref.engine import Analysis, Described, Snapshot
from jaxref.fixes.model import Edit, Fix
from jaxref.source.text import Span, Text

JAX = "0.12.0.1"


def fence(body: str) -> Fence:
    (only,) = parse_page(Path("page.md"), f"```python\n{body}```\n").fences
    return only


def found(
    body: str,
    *lines: int,
    rule: str = "a-rule",
    severity: Severity = "error",
    message: str = "`x` is wrong",
    related: int = 0,
) -> list[str]:
    """What is said of a page whose lines the analyser accuses."""
    subject = fence(body)
    text = Text(subject.text)
    spans = [text.line_span(line - 1) for line in lines]
    beside = (Related("p.py", text.line_span(related - 1), "there"),) if related else ()
    diagnostics = tuple(Diagnostic("p.py", rule, severity, message, s, beside) for s in spans)
    analysis = Analysis(Snapshot("p.py", subject.text), diagnostics)
    return list(analysis_complaints(subject, analysis, JAX))


def ran(body: str, *statements: Statement, claims: tuple[Checked, ...] = ()) -> list[str]:
    """What is said of a page whose program behaves so."""
    return list(execution_complaints(fence(body), Run(statements, claims), JAX))


AGREED = 'x = 1  # error: [a-rule] "`x`" # raises: ValueError "no"\n'
RAISED = Statement(1, 1, "raised", "ValueError", "no such thing", 1)


def test_full_agreement_is_silence() -> None:
    assert found(AGREED, 1) == []
    assert ran(AGREED, RAISED) == []
    assert found("x = 1\n") == []
    assert ran("x = 1\n", Statement(1, 1, "ran")) == []


def test_a_finding_that_is_not_made() -> None:
    assert found(AGREED) == [
        'page.md:2: not found: error: [a-rule] "`x`"',
        "page.md:2: JAX raises ValueError, but no error covers the line",
    ]


def test_a_finding_of_another_kind_or_place_or_with_other_words() -> None:
    hint = "x = 1  # hint: [a-rule]\n"
    assert found(hint, 1, severity="hint") == []
    assert len(found(hint, 1, severity="info")) == 2
    assert len(found(hint, 1, severity="hint", rule="other-rule")) == 2
    assert len(found(hint + "y = 2\n", 2, severity="hint")) == 2
    assert (
        found(AGREED, 1, message="`y` is wrong")[0] == 'page.md:2: not found: error: [a-rule] "`x`"'
    )


def test_a_finding_that_nobody_expects() -> None:
    assert found("x = 1\n", 1, severity="hint") == [
        "page.md:2: unexpected hint: [a-rule] `x` is wrong"
    ]
    assert "page.md:2: an error on code that runs: [a-rule] `x` is wrong" in found("x = 1\n", 1)


def test_one_expectation_takes_one_finding() -> None:
    assert found(AGREED, 1, 1) == ["page.md:2: unexpected error: [a-rule] `x` is wrong"]


def test_an_expected_error_on_code_that_is_not_said_to_raise() -> None:
    assert found("x = 1  # error: [a-rule]\n", 1) == [
        "page.md:2: an error on code that runs: [a-rule] `x` is wrong"
    ]


def test_a_related_place_explains_a_raise() -> None:
    body = "x = 1  # error: [a-rule]\ny = 2  # raises: ValueError\n"
    assert found(body, 1, related=2) == []
    assert len(found(body, 1)) == 2


def test_a_warning_does_not_explain_a_raise() -> None:
    body = "x = 1  # warning: [a-rule] # raises: ValueError\n"
    assert found(body, 1, severity="warning") == [
        "page.md:2: JAX raises ValueError, but no error covers the line"
    ]


def test_a_gap_holds_until_it_is_closed() -> None:
    body = "x = 1  # misses: [a-rule] # raises: ValueError\n"
    assert found(body) == []
    assert "page.md:2: no longer missed: [a-rule] `x` is wrong" in found(body, 1)


def test_only_an_error_closes_the_gap_of_a_raise() -> None:
    body = "x = 1  # warning: [a-rule] # misses: [a-rule] # raises: ValueError\n"
    assert found(body, 1, severity="warning") == []
    silent = "x = 1  # misses: [a-rule]\n"
    assert "page.md:2: no longer missed: [a-rule] `x` is wrong" in found(
        silent, 1, severity="warning"
    )


def test_what_is_revealed() -> None:
    subject = fence("x = 1  # revealed: Ref{float32[3]}\n")
    known = Described(Span(0, 1), "ref", "x: Ref{float32[3]}", "")
    snapshot = Snapshot("p.py", subject.text)
    told = Analysis(snapshot, described=lambda: (known,))
    assert list(analysis_complaints(subject, told, JAX)) == []
    silent = Analysis(snapshot)
    assert list(analysis_complaints(subject, silent, JAX)) == [
        "page.md:2: not revealed: Ref{float32[3]}; known: []"
    ]


def test_a_raise_that_the_page_does_not_know() -> None:
    assert ran("x = 1\n", RAISED) == ["page.md:2: JAX raises ValueError here: 'no such thing'"]
    other = Statement(1, 1, "raised", "TypeError", "no such thing", 1)
    assert len(ran(AGREED, other)) == 2
    elsewhere = Statement(1, 2, "raised", "ValueError", "no such thing", 2)
    assert len(ran(AGREED + "y = 2\n", elsewhere)) == 2
    reworded = Statement(1, 1, "raised", "ValueError", "not that", 1)
    assert len(ran(AGREED.replace('"no"', '"no such"'), reworded)) == 2


def test_a_raise_that_does_not_come() -> None:
    assert ran(AGREED, Statement(1, 1, "ran")) == [
        'page.md:2: JAX does not raise ValueError "no" here'
    ]
    assert ran(AGREED, Statement(1, 1, "unreached")) == [
        'page.md:2: JAX does not raise ValueError "no" here'
    ]


def test_a_result_that_is_not_wrong() -> None:
    body = "x = 1  # warning: [a-rule] # wrong: x, meant 2\n"
    assert ran(body, Statement(1, 1, "ran"), claims=(Checked(1, False, "1"),)) == []
    right = ran(body, Statement(1, 1, "ran"), claims=(Checked(1, True, "2"),))
    assert right == ["page.md:2: x is 2, just as meant"]
    broken = ran(body, Statement(1, 1, "ran"), claims=(Checked(1, failed="NameError: x"),))
    assert broken == ["page.md:2: x cannot be evaluated: NameError: x"]
    assert ran(body, Statement(1, 1, "unreached")) == [
        "page.md:2: the statement did not run, so nothing is wrong yet"
    ]


def test_a_crash_is_told() -> None:
    crashed = Run((), (), "still running after 1 s")
    assert list(execution_complaints(fence("x = 1\n"), crashed, JAX)) == [
        "page.md:2: the program did not run to its end: still running after 1 s"
    ]


def test_a_warning_must_show_its_harm_and_harm_its_warning() -> None:
    assert len(list(page_complaints(fence("x = 1  # warning: [a-rule]\n")))) == 1
    assert len(list(page_complaints(fence("x = 1  # wrong: x, meant 2\n")))) == 1
    both = fence("x = 1  # warning: [a-rule] # wrong: x, meant 2\n")
    assert list(page_complaints(both)) == []


BROKEN = "x = broken\ny = 1\n"
REPAIR = Fix("repair it", (Edit(Span(4, 10), "good"),), "safe")


def analysis_of(text: str, *lines: int, rule: str = "a-rule") -> Analysis:
    places = Text(text)
    diagnostics = tuple(
        Diagnostic("p.py", rule, "error", "m", places.line_span(line - 1), fixes=(REPAIR,))
        for line in lines
    )
    return Analysis(Snapshot("p.py", text), diagnostics)


def offered(after: Analysis, run: Run | None) -> list[str]:
    before = analysis_of(BROKEN, 1)
    said = offered_fix_complaints(before, before.diagnostics[0], REPAIR, after, run)
    return [line.splitlines()[0] for line in said]


def test_a_good_fix_is_applied_and_accepted() -> None:
    ((_, fix, fixed),) = offered_fixes(analysis_of(BROKEN, 1))
    assert (fix, fixed) == (REPAIR, "x = good\ny = 1\n")
    assert offered(analysis_of(fixed), Run((Statement(1, 1, "ran"),), ())) == []
    assert offered(analysis_of(fixed), None) == []


def test_a_fix_for_display_is_not_applied() -> None:
    shown = Fix("see", REPAIR.edits, "display")
    finding = Diagnostic("p.py", "a-rule", "error", "m", Span(0, 1), fixes=(shown,))
    assert list(offered_fixes(Analysis(Snapshot("p.py", BROKEN), (finding,)))) == []


def test_a_bad_fix_is_told() -> None:
    fixed = "x = good\ny = 1\n"
    assert "does not parse" in offered(analysis_of("x = (\n"), None)[0]
    assert offered(analysis_of(fixed, 1), None) == ["[a-rule] 'repair it' leaves its finding"]
    (new,) = offered(analysis_of(fixed, 2, rule="b-rule"), None)
    assert new == "[a-rule] 'repair it' brings a new error: [b-rule]"
    raised = Run((Statement(1, 1, "raised", "ValueError", "no", 1),), ())
    assert offered(analysis_of(fixed), raised) == [
        "[a-rule] 'repair it': line 1 raises ValueError: 'no'"
    ]
    (crashed,) = offered(analysis_of(fixed), Run((), (), "gone"))
    assert "did not run to its end: gone" in crashed


def fixed_page(monkeypatch: pytest.MonkeyPatch, after: str, words: str = "fixed") -> list[str]:
    """What is said of a page with `x = broken`, which the engine repairs, and then `after`."""

    def repairing(text: str, name: str, version: str) -> Analysis:
        return analysis_of(text, 1) if text.startswith("x = broken") else analysis_of(text)

    monkeypatch.setattr(verdicts, "analysed", repairing)
    page = f"```python\nx = broken  # error: [a-rule]\ny = 1\n```\n```python {words}\n{after}```\n"
    subject = parse_page(Path("page.md"), page).fences[1]
    return list(fix_complaints(subject, JAX))


def test_a_fixed_fence_is_compared_with_what_the_fix_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    named = 'fixed="repair"'
    assert fixed_page(monkeypatch, "x = good\ny = 1\n", named) == []
    (other,) = fixed_page(monkeypatch, "x = better\ny = 1\n", named)
    assert other.startswith('page.md:6: "repair" gives another text:')
    assert "-x = better\n+x = good" in other
    (absent,) = fixed_page(monkeypatch, "x = good\ny = 1\n", 'fixed="remove"')
    assert absent == 'page.md:6: "remove" is not offered for the fence before'
    (unpreferred,) = fixed_page(monkeypatch, "x = good\ny = 1\n")
    assert unpreferred == "page.md:6: the preferred fix is not offered for the fence before"
