"""The corpus' scoring: marks are met by rule, severity and place, and the rest is invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.corpus import Labelled, disagreements, read_labelled
from jaxref.diagnostics.model import Diagnostic, Related, Severity
from jaxref.engine import Analysis, Snapshot
from jaxref.source.text import Text


def labelled(folder: Path, text: str, name: str = "001_program.py") -> Labelled:
    place = folder / name
    place.write_text(text, encoding="utf-8")
    return read_labelled(place)


def said(
    program: Labelled,
    *findings: tuple[str, Severity, int],
    related: int = 0,
) -> list[str]:
    text = Text(program.text)
    beside = (Related("p.py", text.line_span(related - 1), "there"),) if related else ()
    diagnostics = tuple(
        Diagnostic("p.py", rule, severity, "m", text.line_span(line - 1), beside)
        for rule, severity, line in findings
    )
    analysis = Analysis(Snapshot("p.py", program.text), diagnostics)
    return [line.partition(":")[0] for line in disagreements(program, analysis)]


RAISING = "# rule: a-rule\nx = 1  # <-- cause\ny = 2  # <-- here\nz = 3\n"


def test_either_mark_will_do_with_the_right_rule_and_severity(tmp_path: Path) -> None:
    program = labelled(tmp_path, RAISING)
    assert said(program, ("a-rule", "error", 2)) == []
    assert said(program, ("a-rule", "error", 3)) == []
    assert said(program) == ["missed"]
    assert said(program, ("a-rule", "warning", 3)) == ["missed"]
    assert said(program, ("b-rule", "error", 3)) == ["missed"]
    assert said(program, ("a-rule", "error", 4)) == ["missed", "invented"]
    assert said(program, ("a-rule", "error", 4), related=3) == []


def test_a_silent_program_may_be_warned_of(tmp_path: Path) -> None:
    program = labelled(tmp_path, RAISING.replace("a-rule", "a-rule (silent)"))
    assert said(program, ("a-rule", "warning", 3)) == []
    assert said(program, ("a-rule", "hint", 3)) == ["missed"]


def test_a_second_rule_must_be_announced(tmp_path: Path) -> None:
    program = labelled(tmp_path, RAISING)
    assert said(program, ("a-rule", "error", 3), ("b-rule", "error", 4)) == ["invented"]
    program = labelled(tmp_path, RAISING + "# also: b-rule\n")
    assert said(program, ("a-rule", "error", 3), ("b-rule", "error", 4)) == []


def test_correct_and_caught_programs_want_quiet(tmp_path: Path) -> None:
    correct = labelled(tmp_path, "# rule: none\nx = 1\n")
    caught = labelled(tmp_path, RAISING, "caught_001.py")
    for program in (correct, caught):
        assert said(program, ("a-rule", "hint", 2)) == []
        assert said(program, ("a-rule", "warning", 2)) == ["invented"]


def test_a_program_without_label_or_mark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no label"):
        labelled(tmp_path, "x = 1\n")
    with pytest.raises(ValueError, match="no line is marked"):
        labelled(tmp_path, "# rule: a-rule\nx = 1\n")
