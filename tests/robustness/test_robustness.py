"""Whatever a text is: nothing fails inside, the work is bounded, and places are in the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import KINDS, ODD, Damage
from surviving import TooMuchWork, bounded, survive, survive_on_the_command_line
from zoo import PROGRAMS, around

import jaxref.engine
from jaxref.cli.deep import on_big_stack
from jaxref.source.reading import Unreadable, decode_source

TESTS = Path(__file__).parents[1]
SEEDS = [path.read_text(encoding="utf-8") for path in sorted((TESTS / "corpus").glob("*.py"))]
SEEDS += [
    fence
    for page in sorted((TESTS / "rules").glob("*.md"))
    for fence in re.findall(
        r"^```python.*?\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
]
quick = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
places = st.floats(0, 1, exclude_max=True, allow_nan=False)
damages = st.builds(Damage, st.sampled_from(sorted(KINDS)), places, places)
damaged = st.builds(
    lambda text, changes: changed(text, changes),
    st.sampled_from(SEEDS),
    st.lists(damages, min_size=1, max_size=5),
)


def changed(text: str, changes: list[Damage]) -> str:
    """`text` after all `changes`."""
    for change in changes:
        text = change(text)
    return text


def deeply(work: Callable[[], object]) -> None:
    """Do `work` where there is as much stack as the command line has."""

    def body() -> int:
        work()
        return 0

    on_big_stack(body)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_zoo(name: str) -> None:
    deeply(lambda: survive(PROGRAMS[name]))


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name.startswith("odd")])
@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_the_zoo_with_other_ends_of_lines(name: str, end: str) -> None:
    survive(PROGRAMS[name].replace("\n", end))


def test_what_is_odd_does_not_hide_the_mistake_behind_it() -> None:
    for name in ("characters beyond the first plane", "line separators", "everything of slices"):
        found = survive(PROGRAMS[f"odd: {name}"]).diagnostics
        assert "unbound-ref-gradient" in {one.rule for one in found}, name


@quick
@given(damaged)
def test_damaged_programs(text: str) -> None:
    survive(text)


@quick
@given(damaged, st.sampled_from(["program.py", "stubs.pyi", "page.md"]))
def test_damaged_programs_on_the_command_line(text: str, name: str) -> None:
    fenced = f"# Page\n\n```python\n{text}\n```\n" if name.endswith(".md") else text
    survive_on_the_command_line(fenced, name)


@pytest.mark.parametrize("number", range(0, len(SEEDS), 60))
def test_truncated_everywhere(number: int) -> None:
    """As it is while somebody types: cut at each place of a stretch."""
    text = SEEDS[number]
    for end in range(max(0, len(text) - 60), len(text)):
        survive(text[:end])


@quick
@given(st.lists(st.sampled_from([*ODD, "r", "f_vjp", "(1.0)", "[...]", "jax.", "\n    "])))
def test_soup(parts: list[str]) -> None:
    survive(around("".join(parts)))


@quick
@given(
    st.sampled_from(SEEDS),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp1252", "utf-7"]),
    st.sampled_from(["", "# coding: latin-1\n", "# coding: utf-7\n", "# coding: nothing\n"]),
    st.lists(st.tuples(places, st.binary(max_size=3)), max_size=4),
)
def test_damaged_bytes(
    text: str, encoding: str, cookie: str, splices: list[tuple[float, bytes]]
) -> None:
    data = (cookie + text).encode(encoding, "backslashreplace")
    for at, new in splices:
        place = int(at * len(data))
        data = data[:place] + new + data[place + 1 :]
    try:
        content = decode_source(data, True).content
    except Unreadable as problem:
        assert "\n" not in str(problem)
    else:
        survive_on_the_command_line(content)


@quick
@given(st.lists(damaged, min_size=1, max_size=3), st.lists(damages, max_size=2))
def test_damaged_notebooks(cells: list[str], changes: list[Damage]) -> None:
    import json

    made = [{"cell_type": "code", "metadata": {}, "source": cell} for cell in cells]
    book = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    try:
        survive_on_the_command_line(changed(book, changes), "book.ipynb")
    except Unreadable as problem:
        assert "\n" not in str(problem)


def test_modules_that_import_each_other() -> None:
    texts = {
        "/nowhere/a.py": "import jax\nfrom b import *\nfrom b import r as q\nimport c\nr = c.r\nr[...] = 1\n",
        "/nowhere/b.py": "from a import *\nimport a, b\nfrom c import r\nr[...] = a.b.a.b.r\n",
        "/nowhere/c.py": "import jax\nimport a\nr = jax.new_ref(1.0)\nx = a.b.c.a.r\n",
    }
    for path, text in texts.items():
        survive(text, path, texts)
        for change in (Damage("delete tokens", 0.2, 0.3), Damage("truncate", 0.7, 0.0)):
            survive(text, path, {name: change(one) for name, one in texts.items()} | {path: text})


def test_a_failure_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: object) -> None:
        raise LookupError("planted")

    monkeypatch.setattr("jaxref.fixes.builders.fixes_for", failing)
    with pytest.raises(AssertionError, match="LookupError at robustness"):
        survive(around(""))


@pytest.mark.skipif("sys.version_info < (3, 12)", reason="needs sys.monitoring")
def test_a_hang_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*arguments: object) -> None:
        while True:
            around("")

    monkeypatch.setattr(jaxref.engine, "parse", endless)
    with pytest.raises(TooMuchWork), bounded(10_000):
        survive_on_the_command_line(around(""))
