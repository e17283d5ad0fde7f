"""Comments that silence findings: what they cover and how they are written."""

from __future__ import annotations

import pytest

from jaxref.source.suppressions import suppressions_in
from jaxref.source.text import Text


def covered(source: str, rule: str = "a-rule") -> list[int]:
    """The lines, from 1, on which `rule` is silenced."""
    text = Text(source)
    found = suppressions_in(text)
    return [
        line + 1
        for line in range(text.line_count())
        if any(suppression.covers(rule, line) for suppression in found)
    ]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("x\ny  # jaxref: ignore[a-rule]\nz", [2]),
        ("x\ny  # jaxref: ignore\nz", [2]),
        ("y  # jaxref: ignore[other, a-rule]", [1]),
        ("y  # jaxref: ignore[other]", []),
        ("y  #jaxref:ignore[ a-rule ]--because", [1]),
        ("y  # noqa  # jaxref: ignore[a-rule]  # type: ignore", [1]),
        ("y = f(\n    a,  # jaxref: ignore[a-rule]\n    b,\n)\nz", [1, 2, 3, 4]),
        ("y = f(\n    # jaxref: ignore[a-rule]\n    b,\n)\nz", [1, 2, 3, 4]),
        ('y = """\n"""  # jaxref: ignore[a-rule]\nz', [1, 2]),
        ("if x:  # jaxref: ignore[a-rule]\n    y\nz", [1]),
        ("w\n# jaxref: ignore[a-rule]\ny = (1,\n 2)\nz", [3, 4]),
        ("w\n# jaxref: ignore[a-rule]\n# more words\ny\nz", [4]),
        ("w\n# jaxref: ignore[a-rule]\n\ny\nz", [2]),
        ("w\n# jaxref: ignore[a-rule]", [2]),
        ("x\n# jaxref: ignore-file\ny", [1, 2, 3]),
        ("x\n# jaxref: ignore-file[a-rule]\ny", [1, 2, 3]),
        ("x\n# jaxref: ignore-file[other]\ny", []),
        ('x = "# jaxref: ignore[a-rule]"', []),
        ("y  # jaxref: ignore[]", []),
        ("y  # jaxref: ingore[a-rule]", []),
        ("y  # jaxref: ignore[a-rule", []),
        ("y  # jaxref: ignored", []),
        ("x = (\ndef f():\n    y  # jaxref: ignore[a-rule]\nz", [3]),
        ("w\n# jaxref: disable[a-rule]\nx\n\ny\n# jaxref: enable[a-rule]\nz", [2, 3, 4, 5, 6]),
        ("w\n# jaxref: disable\nx\n# jaxref: enable -- over\nz", [2, 3, 4]),
        ("# jaxref: disable[a-rule, b]\nx\n# jaxref: enable[b,a-rule]\nz", [1, 2, 3]),
        ("# jaxref: disable[a-rule]\nx\n# jaxref: enable\nz", [1, 2, 3]),
        ("# jaxref: disable[other]\nx\n# jaxref: enable[other]\nz", []),
        ("# jaxref: disable[a-rule]\nx\n# jaxref: enable[other]\nz", []),
        ("# jaxref: disable[a-rule]\nx", []),
        ("x\n# jaxref: enable[a-rule]", []),
        (
            "# jaxref: disable[other]\nx\n# jaxref: disable[a-rule]\ny\n# jaxref: enable[other]\nz\n"
            "# jaxref: enable[a-rule]\nw",
            [3, 4, 5, 6, 7],
        ),
        (
            "# jaxref: disable[a-rule]\nx\n# jaxref: enable[a-rule]\ny\n# jaxref: disable[a-rule]\nz\n"
            "# jaxref: enable[a-rule]",
            [1, 2, 3, 5, 6, 7],
        ),
    ],
)
def test_what_is_covered(source: str, lines: list[int]) -> None:
    assert covered(source) == lines


def test_parts_of_a_comment() -> None:
    text = Text("y  # noqa # jaxref: ignore[a, b-c] -- the ref is kept  # more")
    [found] = suppressions_in(text)
    assert text.slice(found.span) == "# jaxref: ignore[a, b-c] -- the ref is kept"
    assert found.rules is not None
    assert [(rule.name, text.slice(rule.span)) for rule in found.rules] == [
        ("a", "a"),
        ("b-c", "b-c"),
    ]
    assert found.reason == "the ref is kept"


@pytest.mark.parametrize(
    "source", ["y  # jaxref: ingore[a]", "y  # jaxref: ignore[a", "y  # jaxref:"]
)
def test_what_is_not_understood_says_so(source: str) -> None:
    [found] = suppressions_in(Text(source))
    assert found.problem is not None
    assert not found.covers("a", 0)
