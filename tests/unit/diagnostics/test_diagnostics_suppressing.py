"""Suppressed findings go, needless comments are hinted at, and their fixes are right."""

from __future__ import annotations

from jaxref.diagnostics.model import Diagnostic
from jaxref.diagnostics.suppressing import BARE_IGNORE, UNUSED_IGNORE, without_suppressed
from jaxref.fixes.apply import apply_edits
from jaxref.source.text import Span, Text

KNOWN = ("a-rule", "b-rule", UNUSED_IGNORE)


def after(source: str, *rules: str, **options: object) -> list[Diagnostic]:
    """What is left of a finding by each of `rules` at the word `bad`."""
    at = source.index("bad")
    found = [Diagnostic("p", rule, "error", "m", Span(at, at + 3)) for rule in rules]
    return list(without_suppressed("p", Text(source), found, KNOWN, **options))  # type: ignore[arg-type]


def fixed(source: str, *rules: str) -> str:
    [hint] = after(source, *rules)
    assert hint.rule == UNUSED_IGNORE
    assert hint.severity == "hint"
    return apply_edits(source, hint.fixes[0].edits)


def test_a_suppressed_finding_is_gone() -> None:
    assert after("bad  # jaxref: ignore[a-rule]", "a-rule") == []


def test_others_stay() -> None:
    assert [found.rule for found in after("bad  # jaxref: ignore[a-rule]", "a-rule", "b-rule")] == [
        "b-rule"
    ]


def test_without_comments_nothing_changes() -> None:
    assert [found.rule for found in after("bad", "a-rule")] == ["a-rule"]


def test_a_needless_comment_goes_with_its_space() -> None:
    assert fixed("x = bad  # jaxref: ignore[a-rule]\ny") == "x = bad\ny"
    assert fixed("x = bad  # jaxref: ignore\ny") == "x = bad\ny"
    assert fixed("x = bad  # noqa  # jaxref: ignore\ny") == "x = bad  # noqa\ny"
    assert fixed("x = bad  # jaxref: ignore  # noqa\ny") == "x = bad  # noqa\ny"


def test_a_needless_line_goes_whole() -> None:
    assert fixed("a\n    # jaxref: ignore[a-rule]\nbad\n") == "a\nbad\n"
    assert fixed("bad\n# jaxref: ignore-file") == "bad\n"


def test_one_needless_name_of_several() -> None:
    assert (
        fixed("bad  # jaxref: ignore[b-rule, a-rule]", "a-rule") == "bad  # jaxref: ignore[a-rule]"
    )


def test_an_unknown_name_leads_to_the_right_one() -> None:
    [hint] = after("bad  # jaxref: ignore[a-rul]")
    assert hint.message == "`a-rul` is not the name of a rule; did you mean `a-rule`?"


def test_a_comment_that_is_not_understood() -> None:
    [hint] = after("bad  # jaxref: ingore")
    assert "not understood" in hint.message
    assert hint.fixes == ()


def test_no_hint_where_the_comment_could_not_tell() -> None:
    comment = "bad  # jaxref: ignore[a-rule]"
    assert after(comment, active=lambda rule: rule != "a-rule") == []
    assert after(comment, complete=False) == []
    assert after(comment, active=lambda rule: rule != UNUSED_IGNORE) == []


DISABLED = "# jaxref: disable[a-rule, b-rule]\nx = bad\n# jaxref: enable[a-rule, b-rule]\ny\n"


def test_what_is_disabled_and_enabled_again() -> None:
    assert after(DISABLED, "a-rule", "b-rule") == []
    late = "# jaxref: disable[a-rule]\nx\n# jaxref: enable[a-rule]\nbad"
    assert [found.rule for found in after(late, "a-rule")] == [UNUSED_IGNORE, "a-rule"]


def test_needless_comments_go_in_pairs() -> None:
    assert fixed(DISABLED) == "x = bad\ny\n"
    assert fixed(DISABLED, "b-rule") == DISABLED.replace("a-rule, ", "")
    assert fixed("x  # jaxref: disable\nbad\n\ny  # jaxref: enable") == "x\nbad\n\ny"


def test_an_end_that_another_needs_stays() -> None:
    source = "# jaxref: disable[b-rule]\n# jaxref: disable[a-rule]\nbad\n# jaxref: enable\n"
    assert fixed(source, "a-rule") == source.partition("\n")[2]


def test_a_beginning_without_an_end_says_so_and_silences_nothing() -> None:
    for source in ("# jaxref: disable[a-rule]\nbad", "bad  # jaxref: enable[a-rule]"):
        hint, found = sorted(after(source, "a-rule"), key=lambda one: one.rule, reverse=True)
        assert (hint.rule, found.rule) == (UNUSED_IGNORE, "a-rule")
        assert "of the same rules" in hint.message
        assert hint.fixes == ()


def test_a_bare_comment_can_be_reported_and_gets_names() -> None:
    for source, named in (
        ("bad  # jaxref: ignore", "bad  # jaxref: ignore[a-rule, b-rule]"),
        ("bad  #jaxref:ignore -- why", "bad  #jaxref:ignore[a-rule, b-rule] -- why"),
        ("# jaxref: ignore-file\nbad", "# jaxref: ignore-file[a-rule, b-rule]\nbad"),
        (
            "# jaxref: disable\nbad\n# jaxref: enable",
            "# jaxref: disable[a-rule, b-rule]\nbad\n# jaxref: enable",
        ),
    ):
        [hint] = after(source, "b-rule", "a-rule")
        assert (hint.rule, hint.severity) == (BARE_IGNORE, "hint")
        made = apply_edits(source, hint.fixes[0].edits)
        assert made == named
        assert after(made, "b-rule", "a-rule") == []
    assert after("bad  # jaxref: ignore", "a-rule", active=lambda rule: rule != BARE_IGNORE) == []
