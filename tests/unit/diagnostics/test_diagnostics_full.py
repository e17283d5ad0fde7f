"""The rendering for people: marks stand under what they mark, whatever the characters and the width."""

from __future__ import annotations

import re

import pytest

from jaxref.diagnostics.full import as_full
from jaxref.diagnostics.model import Diagnostic, Related
from jaxref.diagnostics.report import findings_of
from jaxref.diagnostics.terminal import Style, width_of, wrapped
from jaxref.source.documents import document_of
from jaxref.source.text import Span

PLAIN = Style()


def rendered(code: str, *others: str, width: int = 100, style: Style = PLAIN) -> list[str]:
    """The lines for a finding at the word `bad`, with notes at the words `others`."""

    def span(word: str) -> Span:
        return Span(code.index(word), code.index(word) + len(word))

    related = tuple(Related("/a.py", span(word), f"about {word}") for word in others)
    found = Diagnostic("/a.py", "a-rule", "error", "it is bad", span("bad"), related)
    return as_full(findings_of("a.py", document_of(code), [found], {}), style, width).splitlines()


def cells(line: str) -> list[str]:
    """What stands in each column; the second column of a wide character is empty."""
    made: list[str] = []
    for char in line:
        size = width_of(char)
        if size == 0 and made:
            made[-1] += char
        else:
            made += [char, *[""] * (size - 1)]
    return made


def marked(lines: list[str], sign: str) -> str:
    """The text above a mark."""
    at = next(
        index for index, line in enumerate(lines) if re.search(rf"\| +{re.escape(sign)}", line)
    )
    row = lines[at]
    start, end = row.index(sign), row.rindex(sign) + 1
    above = next(line for line in reversed(lines[:at]) if re.match(r" *\d+ \|", line))
    return "".join(cells(above)[start:end])


BEFORE = {
    "ASCII": "x = 'abc'; ",
    "wide": "x = '漢字かな한글'; ",
    "full width": "ｘ = 'ＡＢＣ'; ",
    "half width": "x = 'ｱｲｳ'; ",
    "emoji": "x = '😀🎉'; ",
    "combining": "x = 'e\u0301a\u0308\u20dd'; ",
    "joined": "x = 'a\u200db'; ",
    "tabs": "\tx = 'a\tb'; ",
    "controls": "x = 'a\x0c\x7f\x1b'; ",
    "right to left": "x = 'שלום'; ",
}


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("width", [30, 41, 120])
def test_carets_stand_under_what_is_meant(before: str, width: int) -> None:
    code = (
        f"if x:\n    {before}bad, 1\n" if not before.startswith("\t") else f"if x:\n{before}bad\n"
    )
    assert marked(rendered(code, width=width), "^") == "bad"


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("times", [3, 8, 20])
@pytest.mark.parametrize("width", [30, 41, 80])
def test_carets_in_long_lines(before: str, times: int, width: int) -> None:
    code = before.strip() + " " + before.lstrip() * times + "bad, " + "漢 = 1; " * 30
    lines = rendered(code, width=width)
    assert marked(lines, "^") == "bad"
    assert all(width_of(line) <= width for line in lines[1:])


def test_marks_that_are_far_from_each_other_are_shown_each() -> None:
    code = "first = " + "x + " * 40 + "second + " + "漢 + " * 40 + "bad"
    lines = rendered(code, "first", "second", width=60)
    assert marked(lines, "^") == "bad"
    assert [line for line in lines if "about" in line] == [
        "  | ----- about first",
        next(line for line in lines if line.endswith("------ about second")),
    ]
    shown = [line for line in lines if line.startswith("1 |")]
    assert len(shown) == 3
    assert all(width_of(line) <= 60 for line in shown)


def test_a_wide_character_under_a_mark_takes_two_carets() -> None:
    code = "漢字 = 1; bad"
    (row,) = (line for line in rendered(code, "漢字") if "about" in line)
    assert row == "  | ---- about 漢字"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 100, ["one two three"]),
        ("one two three", 17, ["one two", "three"]),
        ("one two three four", 15, ["one", "two three", "four"]),
        ("a-very-long-word and", 12, ["a-very-long-word", "and"]),
        ("漢字 漢字 漢字", 20, ["漢字 漢字", "漢字"]),
        ("", 20, [""]),
    ],
)
def test_messages_on_a_screen(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width, 10, 2) == lines


def test_messages_are_wrapped_on_screens_only() -> None:
    assert rendered("bad", width=20)[0] == "error[a-rule]: it is bad"
    assert rendered("bad", width=20, style=Style(wrap=True))[:2] == [
        "error[a-rule]: it is",
        "  bad",
    ]
