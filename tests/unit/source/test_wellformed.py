"""Python told from what is not, without a tree."""

from __future__ import annotations

import pytest

from jaxref.source.parsing import parse
from jaxref.source.wellformed import is_surely_python


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1\n",
        '"""A page."""\nfrom __future__ import annotations\nx: int\n',
        "if x:\n    y = '\\d'",
        "return 1\n",
        "nonlocal x\n",
        "# -*- coding: latin-1 -*-\nx = 'é'\n",
        "\fx = 1\n",
        "a = 1\r\nb = 2\r\n",
    ],
)
def test_what_parses_is_python(text: str) -> None:
    assert not parse(text).errors
    assert is_surely_python(text)


@pytest.mark.parametrize(
    "text",
    [
        "x = \n",
        "x = 1\ndef f(:\n",
        "  x = 1\n",
        "x = 'a\n",
        "x = 1\0\n",
        "(" * 3000 + ")" * 3000,
        "x" + "[0]" * 100_000,
        "print 'a'\n",
        "from __future__ import _\nx = (\n",
        "x = '\ud800'\nf(\n",
    ],
)
def test_what_does_not_parse_is_not(text: str) -> None:
    assert parse(text).errors
    assert not is_surely_python(text)


def test_nothing_is_said_of_odd_escapes(recwarn: pytest.WarningsRecorder) -> None:
    assert is_surely_python("x = '\\d'\n")
    assert not recwarn.list
