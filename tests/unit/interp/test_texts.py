"""The words for arguments, looked up late."""

from __future__ import annotations

import ast

from jaxref.interp.machine import Module
from jaxref.interp.texts import Texts, behind
from jaxref.source.text import Text

TEXT = "f(first, second[0],\n  third)\n"


def texts() -> Texts:
    tree = ast.parse(TEXT)
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call))
    module = Module("m.py", "m", Text(TEXT), tree, 1, True)
    return Texts(module, [*call.args[:2], "rest[0]", call.args[2]])


def test_they_are_the_words_of_the_program() -> None:
    assert list(texts()) == ["first", "second[0]", "rest[0]", "third"]
    assert len(texts()) == 4


def test_a_part_of_them_is_as_they_are() -> None:
    assert list(texts()[1:3]) == ["second[0]", "rest[0]"]


def test_arguments_before_them_have_none() -> None:
    assert list(behind(2, texts()[2:])) == ["", "", "rest[0]", "third"]
    assert list(behind(1, ("a",))) == ["", "a"]
