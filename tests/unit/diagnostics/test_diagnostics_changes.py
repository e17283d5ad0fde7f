"""The lines a fix changes, as they are shown."""

from __future__ import annotations

from jaxref.diagnostics.changes import hunk


def shown(before: str, after: str) -> list[str]:
    return [f"{sign}{number} {line}" for sign, number, line in hunk(before, after, 1)]


def test_a_changed_line_with_a_line_around_it() -> None:
    assert shown("a\nb\nc\nd\ne", "a\nb\nX\nd\ne") == [" 2 b", "-3 c", "+3 X", " 4 d"]


def test_far_changes_leave_out_what_is_between() -> None:
    lines = [str(number) for number in range(1, 11)]
    changed = ["one", *lines[1:9], "ten"]
    assert shown("\n".join(lines), "\n".join(changed)) == [
        "-1 1",
        "+1 one",
        " 2 2",
        ".0 ",
        " 9 9",
        "-10 10",
        "+10 ten",
    ]


def test_numbers_of_unchanged_lines_are_those_afterwards() -> None:
    assert shown("a\nb\nc\nd\ne", "x\na\nb\nc\nd\nz") == [
        "+1 x",
        " 2 a",
        ".0 ",
        " 5 d",
        "-5 e",
        "+6 z",
    ]


def test_insertions_and_removals_at_the_ends() -> None:
    assert shown("", "a") == ["+1 a"]
    assert shown("a", "") == ["-1 a"]
    assert shown("a\nb", "a\nb") == [" 2 b"]
