"""SARIF: what services that show it rely on, and the way to a finding in the order it is gone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jaxref.diagnostics.model import Diagnostic, Related
from jaxref.diagnostics.report import Finding, findings_of
from jaxref.diagnostics.sarif import RuleHelp, as_sarif
from jaxref.source.documents import document_of
from jaxref.source.text import Span, Text

CODE = """\
made = 1

def helper(x):
    inner = 2
    def deepest():
        return wrong
    return deepest()

helper(called)
"""


def span(word: str, code: str = CODE) -> Span:
    at = code.index(word)
    return Span(at, at + len(word))


def findings(related: list[Related], code: str = CODE, **given: Any) -> tuple[Finding, ...]:
    found = Diagnostic(
        "/p/a.py", "a-rule", "error", "it is wrong", span("wrong", code), tuple(related), **given
    )
    texts = {"/p/other.py": Text("x = 1\n")}
    return findings_of("a.py", document_of(code), [found], texts)


def run_of(found: tuple[Finding, ...], problems: list[tuple[str, str]] | None = None) -> Any:
    rules = {"a-rule": RuleHelp("a rule", "warning", "# a-rule\n\nWhy.\n")}
    log = json.loads(as_sarif(found, "1.2.3", rules, problems or []))
    (run,) = log["runs"]
    return run


def flow(found: tuple[Finding, ...]) -> list[str]:
    (result,) = run_of(found)["results"]
    (one,) = result["codeFlows"]
    (thread,) = one["threadFlows"]
    return [step["location"]["message"]["text"] for step in thread["locations"]]


def test_the_way_leads_from_outside_to_inside_and_then_on() -> None:
    way = flow(
        findings(
            [
                Related("/p/a.py", span("inner"), "in the function"),
                Related("/p/other.py", Span(0, 1), "in another file"),
                Related("/p/a.py", span("called"), "called from here"),
                Related("/p/other.py", Span(4, 5), "it happens here", after=True),
                Related("/p/a.py", span("made"), "made here"),
            ]
        )
    )
    assert way == [
        "in another file",
        "made here",
        "called from here",
        "in the function",
        "it is wrong",
        "it happens here",
    ]


def test_the_finding_is_the_essential_step_and_notes_are_related_places() -> None:
    (result,) = run_of(findings([Related("/p/a.py", span("made"), "made here")]))["results"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step.get("importance") for step in steps] == [None, "essential"]
    assert steps[1]["location"]["physicalLocation"] == result["locations"][0]["physicalLocation"]
    assert [one["message"]["text"] for one in result["relatedLocations"]] == ["made here"]


def test_without_notes_there_is_no_way() -> None:
    (result,) = run_of(findings([]))["results"]
    assert not {"codeFlows", "relatedLocations", "suppressions"} & set(result)


def test_the_way_in_code_that_is_no_python() -> None:
    code = "made = 1\nx = (\n wrong\n"
    assert flow(findings([Related("/p/a.py", span("made", code), "made here")], code)) == [
        "made here",
        "it is wrong",
    ]


def test_what_a_comment_silences_is_suppressed_in_the_source() -> None:
    (result,) = run_of(findings([], suppressed=True))["results"]
    assert result["suppressions"] == [{"kind": "inSource"}]


def test_rules_bring_their_pages() -> None:
    (rule,) = run_of(findings([]))["tool"]["driver"]["rules"]
    assert rule["help"]["markdown"] == "# a-rule\n\nWhy.\n"
    assert rule["help"]["text"].startswith("a rule\n")
    assert rule["defaultConfiguration"] == {"level": "warning"}


@pytest.mark.parametrize("problems", [[], [("b c.py", "permission denied")]])
def test_what_could_not_be_checked_is_told(problems: list[tuple[str, str]]) -> None:
    (invocation,) = run_of(findings([]), problems)["invocations"]
    assert invocation["executionSuccessful"] == (not problems)
    told = invocation.get("toolExecutionNotifications", [])
    assert [one["message"]["text"] for one in told] == [
        f"{path}: {reason}" for path, reason in problems
    ]
    for one in told:
        place = one["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "b%20c.py"}
