"""Options that are read without `argparse` are read as by it."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxref.cli import plain
from jaxref.cli.options import parsed_options
from jaxref.cli.plain import plain_options

_WORDS = (
    *plain._FLAGS,
    *plain._SHORT,
    *plain._CHOSEN,
    *plain._OTHERS,
    *(value for values in plain._CHOSEN.values() for value in values),
    *(
        "a.py",
        "b",
        "-",
        "",
        "-j",
        "2",
        "--",
        "--fi",
        "-qv",
        "--color=never",
        "server",
        "x y",
        "-x y",
    ),
)


def _by_grammar(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, object] | int:
    monkeypatch.setattr(argparse.ArgumentParser, "_print_message", lambda *words: None)
    try:
        return vars(parsed_options(arguments))
    except SystemExit as ending:
        return int(str(ending.code))


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(_WORDS), max_size=5))
def test_what_is_read_plainly_is_read_as_by_the_grammar(words: list[str]) -> None:
    arguments = ["check", *words]
    found = plain_options(arguments)
    if found is not None:
        with pytest.MonkeyPatch.context() as patch:
            assert vars(found) == _by_grammar(arguments, patch)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "a.py",
        "a.py b",
        "--no-cache a.py",
        "a.py -q --fix",
        "--output-format json -",
        "--cache-dir c a.py",
    ],
)
def test_plain_options_are_read_plainly(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["check", *words.split()]
    found = plain_options(arguments)
    assert found is not None
    assert vars(found) == _by_grammar(arguments, monkeypatch)


def test_every_flag_of_the_grammar_is_read_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = _by_grammar(["check"], monkeypatch)
    assert isinstance(nothing, dict)
    flags = [name for name, value in nothing.items() if value is False]
    for name in flags:
        found = plain_options(["check", "--" + name.replace("_", "-")])
        assert found is not None
        assert vars(found)[name] is True


def test_the_format_of_the_environment_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAXREF_OUTPUT_FORMAT", "concise")
    found = plain_options(["check"])
    assert found is not None
    assert vars(found) == _by_grammar(["check"], monkeypatch)


@pytest.mark.parametrize(
    "words", ["--help", "a.py --fix b.py", "--select x", "--output-format xml", "--jobs 2", "-- a"]
)
def test_what_is_not_plain_is_left_to_the_grammar(words: str) -> None:
    assert plain_options(["check", *words.split()]) is None
    assert plain_options(["server"]) is None
