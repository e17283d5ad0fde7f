"""Fixes applied to a text: which, in which order, and when it ends."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import pytest

from jaxref.diagnostics.model import Diagnostic
from jaxref.fixes.apply import apply_edits, chosen_fix, fix_text
from jaxref.fixes.model import Applicability, Edit, Fix
from jaxref.source.text import Span


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def finding(at: int, size: int, new: str, applicability: Applicability = "safe") -> Diagnostic:
    span = Span(at, at + size)
    return Diagnostic(
        "p", "r", "error", "m", span, fixes=(Fix("t", (Edit(span, new),), applicability),)
    )


def each(word: str, new: str) -> Callable[[str], Sequence[Diagnostic]]:
    """An analysis that finds every `word` and would put `new` there."""

    def analyse(text: str) -> Sequence[Diagnostic]:
        places = [at for at in range(len(text)) if text.startswith(word, at)]
        return [finding(at, len(word), new) for at in places]

    return analyse


def test_edits_are_done_whatever_their_order() -> None:
    edits = [Edit(Span(4, 5), "c"), Edit(Span(0, 1), "aa"), Edit(Span(2, 2), "-")]
    assert apply_edits("0 1 2", edits) == "aa -1 c"
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("0 1 2", [Edit(Span(0, 2), ""), Edit(Span(1, 3), "")])


def test_all_fixes_of_a_text() -> None:
    fixed = fix_text("bad; bad; x", each("bad", "good"), parses)
    assert fixed.text == "good; good; x"
    assert fixed.applied == (("r", "t"), ("r", "t"))


def test_fixes_that_touch_are_done_one_after_the_other() -> None:
    def analyse(text: str) -> Sequence[Diagnostic]:
        return [finding(0, 2, "x"), finding(1, 1, "y")] if text == "ab" else []

    assert fix_text("ab", analyse, parses).text == "x"


def test_what_a_fix_uncovers_is_fixed_too() -> None:
    steps = {"a": "b", "b": "c"}

    def analyse(text: str) -> Sequence[Diagnostic]:
        return [finding(0, 1, steps[text])] if text in steps else []

    assert fix_text("a", analyse, parses).text == "c"


def test_two_fixes_that_undo_each_other_come_to_an_end() -> None:
    def analyse(text: str) -> Sequence[Diagnostic]:
        return [finding(0, 1, "b" if text == "a" else "a")]

    assert fix_text("a", analyse, parses).text in ("a", "b")


def test_endless_growth_is_bounded() -> None:
    assert len(fix_text("a", each("a", "a+a"), parses, rounds=3).text) < 50


def test_a_fix_that_breaks_the_text_is_left_out_and_the_others_are_not() -> None:
    def analyse(text: str) -> Sequence[Diagnostic]:
        found = [finding(0, 3, "(")]
        if text.endswith("bad"):
            found.append(finding(len(text) - 3, 3, "good"))
        return found

    fixed = fix_text("one\nbad", analyse, parses)
    assert fixed.text == "one\ngood"
    assert fixed.rejected == ("r: t",)


def test_a_text_that_never_parsed_is_fixed_all_the_same() -> None:
    assert fix_text("bad (", each("bad", "good"), parses).text == "good ("


def test_only_allowed_fixes_are_applied() -> None:
    unsafe = finding(0, 1, "b", "unsafe")
    assert chosen_fix(unsafe, frozenset(["safe"])) is None
    assert chosen_fix(unsafe, frozenset(["safe", "unsafe"])) is unsafe.fixes[0]
    by_hand = finding(0, 1, "b", "display")
    assert chosen_fix(by_hand, frozenset(["safe", "unsafe"])) is None


def test_the_preferred_fix_is_taken_and_never_passed_over() -> None:
    first = Fix("first", (Edit(Span(0, 0), "1"),), "safe")
    best = Fix("best", (Edit(Span(0, 0), "2"),), "unsafe", preferred=True)
    both = Diagnostic("p", "r", "error", "m", Span(0, 1), fixes=(first, best))
    assert chosen_fix(both, frozenset(["safe", "unsafe"])) is best
    assert chosen_fix(both, frozenset(["safe"])) is None
