"""Comments that are made to silence findings."""

from __future__ import annotations

import pytest

from jaxref.fixes.apply import apply_edits
from jaxref.fixes.silencing import silencing_edit, silencing_edits
from jaxref.source.suppressions import suppressions_in
from jaxref.source.text import Text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = bad\n", "x = bad  # jaxref: ignore[one]\n"),
        ("x = bad", "x = bad  # jaxref: ignore[one]"),
        ("x = bad  \r\ny\r\n", "x = bad  # jaxref: ignore[one]\r\ny\r\n"),
        ("f(\n    bad,\n    2)\n", "f(\n    bad,\n    2)  # jaxref: ignore[one]\n"),
        ("x = bad  # why\n", "x = bad  # why  # jaxref: ignore[one]\n"),
        ("bad  # jaxref: ignore[two]\n", "bad  # jaxref: ignore[two, one]\n"),
        ("bad  # jaxref: ignore[two] -- so\n", "bad  # jaxref: ignore[two, one] -- so\n"),
        ("bad  # jaxref: ignore[]\n", "bad  # jaxref: ignore[one]\n"),
        ("# jaxref: ignore[two]\nbad\n", "# jaxref: ignore[two, one]\nbad\n"),
        ("if bad:\n    y\n", "if bad:  # jaxref: ignore[one]\n    y\n"),
        ('bad = """\nlong\n"""\n', 'bad = """\nlong\n"""  # jaxref: ignore[one]\n'),
        ("bad  # jaxref: ignor[two]\n", None),
        ("bad  # jaxref: ignore-file[two]\n", None),
        ("bad  # jaxref: ignore\n", None),
        ("# jaxref: ignore-file\nbad\n", None),
        ("bad  # jaxref: ignore[one]\n", None),
    ],
)
def test_a_comment_for_one(before: str, after: str | None) -> None:
    edit = silencing_edit(Text(before), "one", before.index("bad"))
    assert (None if edit is None else apply_edits(before, [edit])) == after
    if after is not None:
        text = Text(after)
        line = text.line_index(after.index("bad"))
        assert any(comment.covers("one", line) for comment in suppressions_in(text))


def test_no_statement_no_comment() -> None:
    assert silencing_edit(Text("x\n\n\ny\n"), "one", 2) is None


def test_several_in_one_statement_share_a_comment() -> None:
    content = "f(a,\n  b)\nc  # jaxref: ignore[three]\n"
    found = [("two", content.index("b")), ("one", 2), ("two", 2), ("one", content.index("c"))]
    assert apply_edits(content, silencing_edits(Text(content), found)) == (
        "f(a,\n  b)  # jaxref: ignore[one, two]\nc  # jaxref: ignore[three, one]\n"
    )
