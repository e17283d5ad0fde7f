"""Logical lines and comments, against `tokenize` where the text is good."""

from __future__ import annotations

import io
import tokenize

import pytest

from jaxref.source.lines import shape_of
from jaxref.source.text import Text

GOOD = r'''x = 1  # one
y = [1,  # two
     "# no comment",
     f"{x!r:>{y}} # {'#'}",
]
s = """
# not a comment
"""  # three
z = 1 + \
    2  # four
if x:  # five

    pass; w = r"\\"  # six
t = f'{x}' "a" b'\'#'  # seven
# eight
'''


def comments_by_tokenize(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def test_comments_are_those_of_tokenize() -> None:
    text = Text(GOOD)
    assert [text.slice(span) for span in shape_of(text).comments] == comments_by_tokenize(GOOD)


def test_logical_lines() -> None:
    assert [tuple(line) for line in shape_of(Text(GOOD)).logical] == [
        (0, 0),
        (1, 4),
        (5, 7),
        (8, 9),
        (10, 10),
        (12, 12),
        (13, 13),
    ]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("x = (\ndef f():\n  pass", [(0, 0), (1, 1), (2, 2)]),
        ("x = 'open\ny = 1", [(0, 0), (1, 1)]),
        ("x = ]\ny = 1", [(0, 0), (1, 1)]),
        ("x = f'{a'\ny = 1", [(0, 0), (1, 1)]),
        ("x = 1\r\ny = (1,\r\n2)\rz = 3", [(0, 0), (1, 2), (3, 3)]),
        ('x = """open\nmore', [(0, 1)]),
        ("\\\n\\\nx", [(2, 2)]),
        ("", []),
    ],
)
def test_broken_texts_give_lines_too(source: str, lines: list[tuple[int, int]]) -> None:
    assert [tuple(line) for line in shape_of(Text(source)).logical] == lines


def test_the_shape_of_the_standard_library_is_that_of_tokenize() -> None:
    for module in (tokenize, io, __import__("argparse"), __import__("dataclasses")):
        with open(str(module.__file__), encoding="utf-8") as stream:
            source = stream.read()
        text = Text(source)
        assert [text.slice(span) for span in shape_of(text).comments] == comments_by_tokenize(
            source
        )
